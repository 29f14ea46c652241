// How much of the lamp's light arrives.
uniform sampler2DShadow shadowDepths;
uniform sampler2D shadowDistances;

const float kGoldenAngle = 2.399963;
// Half the lamp's width as seen from the scene, as a slope: edges soften with the distance of what casts the shadow.
const float kLampSlope = 0.022;

// Noise without clumps, by pixel (interleaved gradient noise).
float pixelNoise() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }

// Point `index` of `count` spread evenly over the unit disc.
vec2 discPoint(int index, int count, float phase) {
    float radius = sqrt((float(index) + 0.5) / float(count));
    float angle = float(index) * kGoldenAngle + phase;
    return radius * vec2(cos(angle), sin(angle));
}

float softLight(vec3 at, float texel) {
    const int kSearch = 12;
    const int kTaps = 24;
    float phase = 6.2831853 * pixelNoise();
    float reach = clamp(kLampSlope * at.z, 2.0 * texel, 0.045);
    float blockers = 0.0;
    float distances = 0.0;
    for (int i = 0; i < kSearch; ++i) {
        float depth = textureLod(shadowDistances, at.xy + reach * discPoint(i, kSearch, phase), 0.0).r;
        if (depth < min(at.z, 1.0)) {
            blockers += 1.0;
            distances += at.z - depth;
        }
    }
    if (blockers == 0.0) return 1.0;
    float radius = clamp(kLampSlope * distances / blockers, 1.3 * texel, reach);
    // The slope of the surface would shade itself under a wide filter.
    float depth = min(at.z - 0.35 * radius, 1.0);
    float light = 0.0;
    for (int i = 0; i < kTaps; ++i) {
        light += texture(shadowDepths, vec3(at.xy + radius * discPoint(i, kTaps, phase), depth));
    }
    return light / float(kTaps);
}

float lampLight(vec3 position, vec3 normal) {
    if (shadowFilter.z < 0.5) return 1.0;
    float texel = shadowFilter.x;
    // Away from the surface by the map's own coarseness, the more the flatter the light falls.
    float slant = sqrt(max(1.0 - pow(dot(normal, lamp.xyz), 2.0), 0.0));
    vec3 lifted = position + normal * (texel * shadowFilter.y * (0.6 + 1.6 * slant));
    vec3 at = (shadowFromWorld * vec4(lifted, 1.0)).xyz;
    // Beside the map there is light; behind its depth there may be shadow.
    if (at.z < 0.0 || any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
    if (shadowFilter.z > 1.5) return softLight(at, texel);
    float light = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 shift = vec2(i % 2, i / 2) - 0.5;
        light += texture(shadowDepths, vec3(at.xy + 1.5 * texel * shift, min(at.z, 1.0)));
    }
    return 0.25 * light;
}
