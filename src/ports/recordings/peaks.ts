/** The shape of a recording, as a waveform shows it. Samples are scaled to 8 bit: -128 to 127. */
export interface Peaks {
  readonly durationMs: number
  /** One for each channel of the recording. Left is the other side, right what it heard. */
  readonly channels: readonly ChannelPeaks[]
}

/** The lowest and the highest sample of each stretch; all stretches are equally long. */
export interface ChannelPeaks {
  readonly min: readonly number[]
  readonly max: readonly number[]
}

/** Why there are none. `isMissing`: the file does not exist here. `isBusy`: too many others wait. */
export interface NoPeaks {
  readonly why: string
  readonly isMissing: boolean
  readonly isBusy?: true
}

/** Most stretches of a recording: more than a screen has columns. */
export const PEAKS_MAX = 4_000

/** Reads a file of the recordings folder; fewer stretches than `count` where they would be too short. Never rejects. */
export type RecordedPeaks = (file: string, count: number) => Promise<Peaks | NoPeaks>
