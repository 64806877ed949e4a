enable primitive_index;
