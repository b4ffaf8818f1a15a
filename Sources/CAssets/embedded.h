// One row of the table in assets.c: the path without its leading "../../", the bytes, their number.
// No include guard: it is there to be included once for each file.
// The second #embed is an operand of sizeof: it is counted and never stored.
{
    &ASSET[sizeof "../../" - 1],
    (const unsigned char[]){
#embed ASSET
    },
    sizeof(const unsigned char[]){
#embed ASSET
    }
},
#undef ASSET
