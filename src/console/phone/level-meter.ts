/** How loud a microphone is, also while its track is muted: a copy of the track is measured, and goes nowhere. */

/** One microphone at a time. */
export class LevelMeter {
  #track: MediaStreamTrack | undefined
  #source: MediaStreamAudioSourceNode | undefined
  #analyser: AnalyserNode | undefined
  #samples = new Float32Array()

  open(context: AudioContext, track: MediaStreamTrack): void {
    this.close()
    this.#track = track.clone()
    this.#track.enabled = true
    this.#source = context.createMediaStreamSource(new MediaStream([this.#track]))
    this.#analyser = context.createAnalyser()
    this.#samples = new Float32Array(this.#analyser.fftSize)
    this.#source.connect(this.#analyser)
  }

  /** Of the last 43 ms; root mean square, 1 is full scale. */
  level(): number {
    if (!this.#analyser) return 0
    this.#analyser.getFloatTimeDomainData(this.#samples)
    let sum = 0
    for (const sample of this.#samples) sum += sample * sample
    return Math.sqrt(sum / this.#samples.length)
  }

  close(): void {
    this.#source?.disconnect()
    this.#track?.stop()
    this.#source = undefined
    this.#analyser = undefined
    this.#track = undefined
  }
}
