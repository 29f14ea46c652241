flat in vec4 lineColor;
flat in float halfWidth;
noperspective in float across;
out vec4 pixel;

void main() {
    float covered = clamp(halfWidth + 0.5 - abs(across), 0.0, 1.0) * min(2.0 * halfWidth, 1.0);
    pixel = vec4(lineColor.rgb, lineColor.a * covered);
}
