// What all shaders of a frame share; FrameBlock in demos/view/frame_block.h.
layout(std140) uniform Frame {
    mat4 viewProjection;
    mat4 inverseViewProjection;
    mat4 shadowFromWorld;    // texture coordinates and depth, 0 .. 1
    mat4 contactFromWorld;   // likewise, depth is the height above the ground
    vec4 eye;                // position
    vec4 lamp;               // unit vector to it, strength
    vec4 vertical;           // unit vector, strength of the surroundings
    vec4 sky;                // light from above; colours are linear
    vec4 floorLight;         // light from below
    vec4 zenith;
    vec4 horizon;
    vec4 ground;
    vec4 grid;
    vec4 accent;
    vec4 shadowFilter;       // texel [share of the map], extent [m]
    vec4 viewport;           // width, height [pixel], the camera's distance [m]
};
