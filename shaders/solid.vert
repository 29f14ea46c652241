// Bodies: a mesh of sharp corners whose normals are bent over a bevel.
#include "frame.glsl"
#include "instance.glsl"

void main() {
    float bevel = placement.w;
    vec3 size = extent.xyz;
    vec3 position = vertexPosition * (size - bevel) + vertexNormal * bevel;
    // A mesh without bevel is stretched: its normals by the inverse.
    vec3 normal = bevel > 0.0 ? vertexNormal : normalize(vertexNormal / max(abs(size), vec3(1e-9)) * sign(size));
    bodyPosition = position / max(abs(size), vec3(1e-9));
    putOut(position, normal);
}
