// The ground or a wall: its own colour in the light, darker in the shadow, with a grid, fading with the distance.
#include "frame.glsl"
#include "shadow.glsl"
#include "background.glsl"

uniform vec4 plane;  // unit normal, distance from the origin along it
uniform vec4 shade;  // 1 where the plane receives the contact shade
uniform sampler2D contactShade;
uniform vec4 gridPlace;  // a point of the grid, spacing

in vec3 worldPosition;
out vec4 pixel;

// Share of a pixel that lines of a grid cover, `width` pixels wide; where lines come too close, their mean.
float lines(vec2 at, float width) {
    vec2 perPixel = max(fwidth(at), vec2(1e-6));
    vec2 nearest = abs(fract(at - 0.5) - 0.5) / perPixel;
    vec2 covered = clamp(0.5 * width + 0.5 - nearest, 0.0, 1.0);
    // Gone before they flicker.
    covered *= 1.0 - smoothstep(0.07, 0.25, perPixel);
    return max(covered.x, covered.y);
}

void main() {
    vec3 normal = plane.xyz;
    vec3 toEye = eye.xyz - worldPosition;
    float away = length(toEye);
    vec3 view = toEye / away;
    float facing = dot(view, normal);
    if (facing <= 0.0) discard;

    // Walls that the lamp passes by are not left in the dark.
    float slant = dot(normal, lamp.xyz);
    float lit = mix(0.5, 1.0, smoothstep(0.0, 0.35, slant));
    if (slant > 0.0) lit *= lampLight(worldPosition, normal);
    float hidden = 0.0;
    if (shade.x > 0.0) {
        vec2 at = (contactFromWorld * vec4(worldPosition, 1.0)).xy;
        vec2 inside = smoothstep(vec2(0.0), vec2(0.06), at) * smoothstep(vec2(0.0), vec2(0.06), 1.0 - at);
        vec2 texel = 1.0 / vec2(textureSize(contactShade, 0));
        for (int i = 0; i < 4; ++i) {
            hidden += 0.25 * textureLod(contactShade, at + texel * (vec2(i % 2, i / 2) * 2.0 - 1.0), 0.0).r;
        }
        hidden *= inside.x * inside.y;
    }
    // Half of the ground's light comes from the lamp, and the rest is bluish.
    vec3 light = vec3(0.47, 0.50, 0.55) * (1.0 - 0.92 * hidden) + vec3(0.53, 0.50, 0.45) * lit * (1.0 - 0.3 * hidden);
    vec3 base = ground.rgb;
    if (gridPlace.w > 0.0) {
        vec3 across = normalize(abs(normal.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), normal)
                                                    : cross(vec3(0.0, 0.0, 1.0), normal));
        vec3 along = cross(normal, across);
        vec3 from = worldPosition - gridPlace.xyz;
        vec2 at = vec2(dot(from, across), dot(from, along)) / gridPlace.w;
        base = mix(base, grid.rgb, 0.15 * lines(at * 10.0, 1.0));
        base = mix(base, grid.rgb, 0.50 * lines(at, 1.2));
    }
    float fade = smoothstep(2.5, 17.0, away / viewport.z);
    // Seen very flatly, the plane ends in haze.
    fade = max(fade, 1.0 - smoothstep(0.0, 0.035, facing));
    pixel = vec4(base * light, 1.0 - fade);
}
