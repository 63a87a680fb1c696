cs_5_0
if_nz r0.y
else 
  nop 
endif 
loop 
  breakc_z r0.y
  break 
  continue 
  continuec_nz r0.y
endloop 
switch r0.y
  case l(1)
  nop 
  case l(0x3f800000)
  case l(-1)
  nop 
  break 
  default 
  nop 
  break 
endswitch 
switch r0.y
  default 
  case l(1)
  nop 
  if_z r0.y
    nop 
    switch r0.y
      case l(1)
      switch r0.y
        case l(1)
        nop 
        break 
      endswitch 
      break 
    endswitch 
  endif 
  break 
endswitch 
call label0
callc_z r0.y, label3
retc_z r0.y
ret 
label label0
nop 
// Approximately 0 instruction slots used
