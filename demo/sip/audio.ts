/** Telephone sound: G.711 µ-law (ITU-T G.711) at 8 kHz. */

/** Samples a second. */
export const SAMPLE_RATE = 8_000
/** One packet's worth of sound. */
export const FRAME_MS = 20
/** Samples in one packet: 160. */
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1_000
/** The byte of silence. */
export const ULAW_SILENCE = 0xff

const BIAS = 0x84
const CLIP = 32_635

/** A 16-bit sample as a µ-law byte. */
export function toUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS
  const exponent = Math.floor(Math.log2(magnitude)) - 7
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

const LINEAR = Int16Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << ((bits >> 4) & 7)) - BIAS
  return bits & 0x80 ? -magnitude : magnitude
})

/** A µ-law byte as a 16-bit sample. */
export function fromUlaw(byte: number): number {
  return LINEAR[byte]!
}

/** µ-law of a sine, from sample number `from` on, so that frames join without a click. */
export function toneFrame(hz: number, from: number, amplitude = 8_000): Buffer {
  return frameOf((angle) => amplitude * Math.sin(angle), hz, from)
}

/** Overtones of words of 400 ms, in turn: no two words of a greeting sound alike. */
const OVERTONES = [3, 2.3, 3.7, 1.7, 3.4, 2.6, 4, 2]
const WORD_SAMPLES = 0.4 * SAMPLE_RATE

/** The same as a voice: with overtones, so that no ear takes it for a beep. Four fifths of it are the tone. */
export function voiceFrame(hz: number, from: number): Buffer {
  const overtone = OVERTONES[Math.floor(from / WORD_SAMPLES) % OVERTONES.length]!
  return frameOf((angle) => 8_000 * Math.sin(angle) + 4_000 * Math.sin(overtone * angle), hz, from)
}

function frameOf(wave: (angle: number) => number, hz: number, from: number): Buffer {
  return Buffer.from(
    Array.from({ length: FRAME_SAMPLES }, (_, at) =>
      toUlaw(Math.round(wave((2 * Math.PI * hz * (from + at)) / SAMPLE_RATE))),
    ),
  )
}

/** Mean square of a frame's samples. */
export function energyOf(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
}

/** Rows and columns of the keypad in Hz (ITU-T Q.23). */
const ROWS_HZ = [697, 770, 852, 941] as const
const COLUMNS_HZ = [1209, 1336, 1477, 1633] as const
const KEYPAD = '123A456B789C*0#D'

/** µ-law of a key's two tones; `from` as in `toneFrame`. -9 dBm0 each, as telephones send them (ITU-T Q.24). */
export function keyFrame(key: string, from: number): Buffer {
  const at = KEYPAD.indexOf(key)
  const pair = [ROWS_HZ[at >> 2]!, COLUMNS_HZ[at & 3]!]
  return Buffer.from(
    Array.from({ length: FRAME_SAMPLES }, (_, sample) =>
      toUlaw(
        Math.round(
          pair.reduce((sum, hz) => sum + 8_000 * Math.sin((2 * Math.PI * hz * (from + sample)) / SAMPLE_RATE), 0),
        ),
      ),
    ),
  )
}
