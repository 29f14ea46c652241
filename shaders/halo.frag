in vec2 place;
flat in vec3 halo;
out vec4 pixel;

void main() {
    float reach = 0.9 * min(halo.x, halo.y);
    float outside = length(max(abs(place) - halo.xy, 0.0)) / reach;
    if (outside <= 0.0) discard;
    float strength = pow(max(1.0 - outside, 0.0), 2.5);
    pixel = vec4(1.0, 0.42, 0.08, 0.75 * halo.z * strength);
}
