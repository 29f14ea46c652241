// Brings the maps of undersides and tops together: share of the area that is covered, and the two heights times it, which
// may be averaged over any area.
uniform sampler2D undersides;  // height of the lowest surface; 1: nothing
uniform sampler2D tops;        // 1 - height of the highest surface

out vec4 pixel;

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 at = 2 * ivec2(gl_FragCoord.xy) + ivec2(i % 2, i / 2);
        float underside = texelFetch(undersides, at, 0).r;
        if (underside < 1.0) sum += vec3(1.0, underside, max(1.0 - texelFetch(tops, at, 0).r, underside));
    }
    pixel = vec4(0.25 * sum, 1.0);
}
