// The surroundings in a direction.
vec3 backgroundOf(vec3 direction) {
    float height = dot(direction, vertical.xyz);
    float above = 1.0 - exp(-2.6 * max(height, 0.0));
    float below = 1.0 - exp(-4.0 * max(-height, 0.0));
    return mix(mix(horizon.rgb, zenith.rgb, above), ground.rgb, below);
}
