use divan as _;
use naga as _;
use proptest as _;
