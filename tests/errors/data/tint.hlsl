// A pixel shader: the wrong stage.
float4 main(float4 colour : COLOR0) : SV_Target { return colour * float4(1, 0.5, 0.25, 1); }
