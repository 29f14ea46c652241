// The share of the sky that a point of the ground does not see, from the heights of what stands or hangs above it.
uniform sampler2D heights;  // covered share, underside and top times it
uniform vec4 heightsSize;

in vec2 place;
out vec4 pixel;

const float kTwoPi = 6.283185307;

// Share of the sky (by the cosine) below an elevation whose tangent is height / distance.
float skyBelow(float height, float distance) {
    return height * height / max(height * height + distance * distance, 1e-12);
}

void main() {
    vec2 at = 0.5 * place + 0.5;
    const int kRings = 7;
    const int kSectors = 12;
    const float kGrowth = 1.9;
    float texel = 1.0 / heightsSize.x;
    float first = 0.6 * texel;
    vec3 above = textureLod(heights, at, 0.0).rgb;
    float overhead = above.r * (1.0 - skyBelow(above.g / max(above.r, 1e-4), first));
    // Neighbours look in other directions: plane.frag averages four by four of them.
    ivec2 texelInBlock = ivec2(gl_FragCoord.xy) % 4;
    float turn = (float((4 * texelInBlock.x + texelInBlock.y) * 7 % 16) + 0.5) / 16.0;
    float hidden = 0.0;
    for (int sector = 0; sector < kSectors; ++sector) {
        float angle = kTwoPi * (float(sector) + turn) / float(kSectors);
        vec2 direction = vec2(cos(angle), sin(angle));
        // What is hidden so far is one stretch of elevations.
        float low = 1.0;
        float high = 0.0;
        float sum = overhead;
        float inner = first;
        for (int ring = 0; ring < kRings; ++ring) {
            float outer = inner * kGrowth;
            float middle = sqrt(inner * outer);
            // Averaged over about the piece of the ring that belongs to this sector.
            float level = log2(max(0.45 * middle / texel, 1.0));
            vec3 there = textureLod(heights, at + middle * direction, level).rgb;
            if (there.r > 0.002) {
                float from = skyBelow(there.g / there.r, outer);
                float to = skyBelow(there.b / there.r, inner);
                float fresh = to - from;
                if (high > low) fresh = max(min(to, low) - from, 0.0) + max(to - max(from, high), 0.0);
                sum += there.r * fresh;
                // Only what is covered for the most part hides what lies behind it.
                if (there.r > 0.5) {
                    low = min(low, from);
                    high = max(high, to);
                }
            }
            inner = outer;
        }
        hidden += min(sum, 1.0);
    }
    pixel = vec4(hidden / float(kSectors));
}
