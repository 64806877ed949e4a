// What is kept of every patch index from picture to picture. It may be wrong or of another view: that costs time, and changes nothing.

// The patch was not hidden.
const HISTORY_SEEN: u32 = 1u;
// In this picture it is left to the second phase.
const HISTORY_LEFT: u32 = 2u;
