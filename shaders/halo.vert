// The glow around a hot stop face: a larger rectangle in the face's plane.
#include "frame.glsl"

layout(location = 0) in vec4 rotation;
layout(location = 1) in vec3 position;
layout(location = 2) in vec3 face;  // half size, glow

out vec2 place;  // from the face's middle [m]
flat out vec3 halo;

vec3 turn(vec3 v) { return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v); }

void main() {
    float reach = 0.9 * min(face.x, face.y);
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
    place = corner * (face.xy + reach);
    halo = face;
    vec3 inFront = vec3(place, 0.02 * reach);
    gl_Position = viewProjection * vec4(position + turn(inFront), 1.0);
}
