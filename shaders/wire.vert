// Springs: a straight wire wound into a helix about z, from z = 0 to the instance's length.
#include "frame.glsl"
#include "instance.glsl"

const float kTwoPi = 6.283185307;

void main() {
    float way = vertexPosition.x;
    float around = vertexPosition.y;
    float wireRadius = extent.y * vertexPosition.z;
    float windings = material.w;
    float coilRadius = max(extent.x - extent.y, 0.0);
    float free = max(extent.z - 2.0 * extent.y, 0.0);

    // The ends are wound flat, as those of pressed springs: the pitch grows over the first part of a winding.
    float flatPart = min(0.45 / windings, 0.25);
    float rise = 1.0 / (1.0 - flatPart);
    float height;
    float slope;
    if (way < flatPart) {
        height = 0.5 * rise * way * way / flatPart;
        slope = rise * way / flatPart;
    } else if (way > 1.0 - flatPart) {
        float left = 1.0 - way;
        height = 1.0 - 0.5 * rise * left * left / flatPart;
        slope = rise * left / flatPart;
    } else {
        height = rise * (way - 0.5 * flatPart);
        slope = rise;
    }

    float angle = kTwoPi * windings * way;
    vec3 outward = vec3(cos(angle), sin(angle), 0.0);
    vec3 tangent = normalize(vec3(kTwoPi * windings * coilRadius * vec2(-outward.y, outward.x), free * slope + 1e-9));
    vec3 binormal = cross(tangent, outward);
    vec3 normal = cos(around) * outward + sin(around) * binormal;
    vec3 position = coilRadius * outward + vec3(0.0, 0.0, extent.y + free * height) + wireRadius * normal;
    // The discs that close the wire.
    if (vertexPosition.z == 0.0) normal = way < 0.5 ? -tangent : tangent;
    bodyPosition = vec3(0.0);
    putOut(position, normal);
}
