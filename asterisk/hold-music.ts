/** The music on hold of our switches: made here, so that it begins at once and asks for no licence. */

const RATE_HZ = 8_000
const CHORD_MS = 4_000
/** Two chords sound together for so long, and the loudness of both together stays the same. */
const CROSSFADE_MS = 800
const BELL_EVERY_MS = 1_000
const BELL_ATTACK_MS = 12
const BELL_FADE_MS = 420
const BELL_MS = 2_000
/** Of full scale. All together stay below half of it, and about 20 dB below it on average. */
const NOTE = 0.065
const BELL = 0.05
/** Of a note: the fundamental, and its octave. */
const OVERTONES = [1, 0.25]

const HZ = { C: 130.81, D: 146.83, E: 164.81, G: 196, B: 246.94 }
/** Four notes each, as multiples of `HZ`; all last, and the third and fourth also ring as bells. */
const CHORDS = [
  'C2 G2 E4 B2',
  'E2 B2 G2 D4',
  'C2 E2 G2 D4',
  'G1 D2 B2 G2',
  'E2 G2 B2 E4',
  'C2 G2 C4 E2',
  'G1 B1 D4 G2',
  'D2 G1 B2 C4',
]

const samplesOf = (ms: number) => (ms * RATE_HZ) / 1_000
const frequencyOf = (note: string) => HZ[note[0] as keyof typeof HZ] * Number(note[1])

/** 16 bit, 8 kHz, little endian, no header: Asterisk's `.sln`. It repeats without a seam, and is never silent. */
export function holdMusic(): Buffer {
  const sound = new Float64Array(samplesOf(CHORD_MS) * CHORDS.length)
  for (const [at, chord] of CHORDS.entries()) {
    const notes = chord.split(' ').map(frequencyOf)
    for (const hz of notes) add(sound, at * CHORD_MS, hz, CHORD_MS + CROSSFADE_MS, lasting)
    for (let bell = 0; bell < CHORD_MS / BELL_EVERY_MS; bell++) {
      add(sound, at * CHORD_MS + bell * BELL_EVERY_MS, notes[2 + (bell % 2)]!, BELL_MS, ringing)
    }
  }
  return Buffer.from(Int16Array.from(sound, (value) => Math.round(value * 32_767)).buffer)
}

/** What is beyond the end sounds at the beginning. */
function add(sound: Float64Array, fromMs: number, hz: number, ms: number, loudness: (atMs: number) => number): void {
  const [from, count] = [samplesOf(fromMs), samplesOf(ms)]
  for (let at = 0; at < count; at++) {
    const phase = (2 * Math.PI * hz * at) / RATE_HZ
    const wave = OVERTONES.reduce((sum, share, above) => sum + share * Math.sin(phase * (above + 1)), 0)
    sound[(from + at) % sound.length]! += loudness((at * 1_000) / RATE_HZ) * wave
  }
}

function lasting(atMs: number): number {
  const edge = Math.min(1, atMs / CROSSFADE_MS, (CHORD_MS + CROSSFADE_MS - atMs) / CROSSFADE_MS)
  return NOTE * Math.sin((Math.PI / 2) * edge)
}

function ringing(atMs: number): number {
  return BELL * Math.min(1, atMs / BELL_ATTACK_MS) * Math.exp(-atMs / BELL_FADE_MS)
}
