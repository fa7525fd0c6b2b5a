// Parts of the memory as text. Most are a few characters long: making a string of them costs more than reading them.
// Longer texts are read by the platform.
const SHORT = 32;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const { fromCharCode } = String;
/** A part of the memory as text. */
export function textAt(bytes, from, to) {
    if (to - from > SHORT || !isAscii(bytes, from, to))
        return decoder.decode(bytes.subarray(from, to));
    return ascii(bytes, from, to);
}
/** A part of the memory that probably is this text. */
export function textLike(text, bytes, from, to) {
    return is(text, bytes, from, to) ? text : textAt(bytes, from, to);
}
// Names that came before, by a hash of their bytes.
const names = new Array(256).fill("");
/** A part of the memory that probably came before, such as the name of a member. */
export function nameAt(bytes, from, to) {
    if (to - from > SHORT)
        return textAt(bytes, from, to);
    let hash = to - from;
    for (let at = from; at < to; at += 1)
        hash = Math.imul(hash, 31) + bytes[at];
    const place = (hash ^ (hash >> 8)) & 255;
    const known = names[place];
    if (is(known, bytes, from, to))
        return known;
    return (names[place] = textAt(bytes, from, to));
}
/** Whether these bytes are this text. A text with other characters than those of ASCII is taken for another. */
function is(text, bytes, from, to) {
    const { length } = text;
    if (to - from !== length)
        return false;
    for (let at = 0; at < length; at += 1) {
        const unit = text.charCodeAt(at);
        if (unit !== bytes[from + at] || unit > 127)
            return false;
    }
    return true;
}
function isAscii(bytes, from, to) {
    for (let at = from; at < to; at += 1)
        if (bytes[at] > 127)
            return false;
    return true;
}
/** Four characters at a time: each step makes a string. */
function ascii(bytes, from, to) {
    let text = "";
    let at = from;
    for (; at + 4 <= to; at += 4)
        text += fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
    if (to - at === 3)
        return text + fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2]);
    if (to - at === 2)
        return text + fromCharCode(bytes[at], bytes[at + 1]);
    return to - at === 1 ? text + fromCharCode(bytes[at]) : text;
}
