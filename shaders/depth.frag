// Shadow maps and ghosts' depths: nothing but the depth.
void main() {}
