"test.op"() {a = #dlti.dl_entry<"k", 3 : i32>} : () -> ()
// -----
"test.op"() {a = #dlti.dl_spec<"k" = 3 : i32, index = 64 : i64>} : () -> ()
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>} {
}
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64, "dlti.endianness" = "little">} {
}
// -----
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"L1" = 4096 : i32>>} {
}
// -----
"test.op"() {a = #dlti.map<"x" = 1 : i32>} : () -> ()
