// A line as a rectangle of constant width in the picture.
#include "frame.glsl"

layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec4 color;
layout(location = 3) in float width;

flat out vec4 lineColor;
flat out float halfWidth;
noperspective out float across;  // from the line's middle [pixel]

void main() {
    vec4 from = viewProjection * vec4(a, 1.0);
    vec4 to = viewProjection * vec4(b, 1.0);
    // What is behind the camera ends just before it.
    const float kNear = 1e-4;
    if (from.w < kNear && to.w >= kNear) from = mix(from, to, (kNear - from.w) / (to.w - from.w));
    if (to.w < kNear && from.w >= kNear) to = mix(to, from, (kNear - to.w) / (from.w - to.w));
    vec2 pixels = 0.5 * viewport.xy;
    vec2 direction = to.xy / max(to.w, kNear) * pixels - from.xy / max(from.w, kNear) * pixels;
    direction = length(direction) > 1e-6 ? normalize(direction) : vec2(1.0, 0.0);
    float side = float(gl_VertexID % 2) * 2.0 - 1.0;
    vec4 end = gl_VertexID < 2 ? from : to;
    halfWidth = 0.5 * width;
    across = side * (halfWidth + 0.5);
    lineColor = color;
    end.xy += vec2(-direction.y, direction.x) * across / pixels * end.w;
    gl_Position = end;
}
