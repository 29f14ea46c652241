// How much of the lamp's light arrives. SHADOWS: 0 none, 1 plain, 2 soft.
#if SHADOWS > 0
uniform sampler2DShadow shadowDepths;
#endif

#if SHADOWS == 2
uniform sampler2D shadowDistances;

// Turns by the golden angle: points at growing radii are spread evenly over a disc.
const mat2 kGoldenTurn = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);
// Half the lamp's width as seen from the scene, as a slope: edges soften with the distance of what casts the shadow.
const float kLampSlope = 0.022;

// Noise without clumps, by pixel (interleaved gradient noise).
float pixelNoise() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }

float softLight(vec3 at, float texel) {
    const int kSearch = 12;
    const int kTaps = 24;
    float phase = 6.2831853 * pixelNoise();
    vec2 first = vec2(cos(phase), sin(phase));
    float reach = clamp(kLampSlope * at.z, 2.0 * texel, 0.045);
    float blockers = 0.0;
    float distances = 0.0;
    vec2 direction = first;
    for (int i = 0; i < kSearch; ++i) {
        vec2 point = sqrt((float(i) + 0.5) / float(kSearch)) * direction;
        float depth = textureLod(shadowDistances, at.xy + reach * point, 0.0).r;
        if (depth < min(at.z, 1.0)) {
            blockers += 1.0;
            distances += at.z - depth;
        }
        direction = kGoldenTurn * direction;
    }
    float radius = clamp(kLampSlope * distances / max(blockers, 1.0), 1.3 * texel, reach);
    // The slope of the surface would shade itself under a wide filter.
    float depth = min(at.z - 0.35 * radius, 1.0);
    // No taps where nothing is in the way: most of a picture.
    int taps = blockers > 0.0 ? kTaps : 0;
    float light = 0.0;
    direction = first;
    for (int i = 0; i < taps; ++i) {
        vec2 point = sqrt((float(i) + 0.5) / float(kTaps)) * direction;
        light += textureLod(shadowDepths, vec3(at.xy + radius * point, depth), 0.0);
        direction = kGoldenTurn * direction;
    }
    return taps > 0 ? light / float(kTaps) : 1.0;
}

#endif

float lampLight(vec3 position, vec3 normal) {
#if SHADOWS == 0
    return 1.0;
#else
    float texel = shadowFilter.x;
    // Away from the surface by the map's own coarseness, the more the flatter the light falls.
    float facing = dot(normal, lamp.xyz);
    float slant = sqrt(max(1.0 - facing * facing, 0.0));
    vec3 lifted = position + normal * (texel * shadowFilter.y * (0.6 + 1.6 * slant));
    vec3 at = (shadowFromWorld * vec4(lifted, 1.0)).xyz;
    // Beside the map there is light; behind its depth there may be shadow.
    if (at.z < 0.0 || any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
#if SHADOWS == 2
    return softLight(at, texel);
#else
    float light = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 shift = vec2(i % 2, i / 2) - 0.5;
        light += textureLod(shadowDepths, vec3(at.xy + 1.5 * texel * shift, min(at.z, 1.0)), 0.0);
    }
    return 0.25 * light;
#endif
#endif
}
