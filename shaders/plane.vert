// A plane as a square so large that its border has faded.
#include "frame.glsl"

uniform vec4 plane;  // unit normal, distance from the origin along it

out vec3 worldPosition;

void main() {
    vec3 normal = plane.xyz;
    vec3 across = normalize(abs(normal.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), normal) : cross(vec3(1.0, 0.0, 0.0), normal));
    vec3 along = cross(normal, across);
    vec3 below = eye.xyz - normal * (dot(eye.xyz, normal) - plane.w);
    float reach = 60.0 * viewport.z;
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
    worldPosition = below + reach * (corner.x * across + corner.y * along);
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
