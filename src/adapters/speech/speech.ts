import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import {
  type Sound,
  SPOKEN_LENGTH_MAX,
  type Speech,
  type SpeechResult,
  slotFor,
  type Utterance,
  type VoiceSlot,
} from '../../ports/speech.ts'
import { type EspeakProgram, espeakProgram, SPEED } from './espeak-program.ts'
import { FLITE_VOICE, type FliteProgram, fliteProgram } from './flite-program.ts'
import { type FlowRecordingOptions, flowRecordings } from './flow-recordings.ts'
import { withQuietSound } from './quiet-sound.ts'
import { ServerVoice, type SpeechServer } from './server-voice.ts'
import { SoundStore } from './sound-store.ts'
import { speakable } from './speakable.ts'
import { StudioRecordings } from './studio-recordings.ts'
import { silence } from './telephone-audio.ts'
import { TELEPHONE_HZ } from './wav.ts'

export interface SpeechOptions {
  /** Path or name of `espeak-ng`. */
  readonly program: string
  /** The directory of `espeak-ng-data`, unless it is the compiled-in one. */
  readonly dataPath?: string
  /** Path or name of `flite`. */
  readonly flite?: string
  /** The folder of the sounds, absolute; the switch must be able to read it. */
  readonly directory: string
  readonly recordings: FlowRecordingOptions
  /** Language → who speaks it; espeak-ng speaks all others. */
  readonly voices?: ReadonlyMap<string, VoiceSlot>
  /** Absent: espeak-ng speaks what a server should. */
  readonly server?: SpeechServer
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: Log
  /** Concurrent child processes; default 2. */
  readonly childrenMax?: number
  /** Limit for different sounds in the making. Default 1,000; beyond it the result is a failure at once. */
  readonly wantedMax?: number
}

/** A sound that stands in for another one is made anew for the next caller. */
type Made = SpeechResult & { readonly isPassing?: true }

type Words = Extract<Utterance, { text: string }>

const PAUSE_MS_MAX = 60_000
/** One RTP packet: the sound of a text without words. */
const NOTHING_MS = 20
const ESPEAK: VoiceSlot = { engine: 'espeak', voice: undefined }

/**
 * Speech by the engine of each language, and recordings; cached on disk. Where an engine fails, espeak-ng speaks
 * (calls-and-flows-65). Concurrent requests for one sound share its making.
 */
export function telephoneSpeech(options: SpeechOptions): Speech {
  const { directory, log, wantedMax = 1_000 } = options
  const store = new SoundStore(options)
  const recording = flowRecordings(options.recordings, store)
  const studio = new StudioRecordings(options.recordings.directory, log)
  const speaker = new Speaker(options, store)
  const wanted = new Map<string, ((result: SpeechResult) => void)[]>()

  async function make(utterance: Utterance, isAhead: boolean): Promise<Made> {
    if ('file' in utterance) return { ...(await recording(utterance.file)), isPassing: true }
    if ('pauseMs' in utterance) return pauseSound(store, utterance.pauseMs)
    const words = speakable(utterance.text)
    const recorded = studio.fileOf(words, utterance.voice)
    const result = recorded === undefined ? undefined : await recording(recorded)
    // An operator may replace a recording at any time, so it is looked up again.
    if (result?.ok) return { ok: true, sound: { ...result.sound, text: words }, isPassing: true }
    if (result) studio.failed(result.why)
    const said = await speaker.sound({ ...utterance, text: words }, isAhead)
    return result ? { ...said, isPassing: true } : said
  }

  return {
    render(utterance, done, isAhead = false) {
      if (isAhead) studio.readAgain()
      const utteranceKey = `${studio.revision} ${JSON.stringify(utterance)}`
      const sound = store.recall(utteranceKey)
      if (sound) return done({ ok: true, sound })
      // Whoever waits on the line does not wait for one who has time.
      const key = `${isAhead} ${utteranceKey}`
      const waiting = wanted.get(key)
      if (waiting) return void waiting.push(done)
      if (wanted.size >= wantedMax) return done(failed(`more than ${wantedMax} sounds are wanted at once`))
      const everybody = [done]
      wanted.set(key, everybody)
      const settle = ({ isPassing, ...result }: Made) => {
        wanted.delete(key)
        if (result.ok && !isPassing) store.remember(utteranceKey, result.sound)
        if (!result.ok) log.warn({ why: result.why }, 'prompt not generated')
        for (const done of everybody) done(result)
      }
      void make(utterance, isAhead)
        .catch((error: Error) => failed(`the sound cannot be kept in ${directory}: ${error.message}`))
        .then(settle)
    },
    quieten: (sound, done) => void withQuietSound(store, sound, log).then(done),
  }
}

/** The engines, and which of them speaks a language. */
class Speaker {
  readonly #voices: ReadonlyMap<string, VoiceSlot>
  readonly #store: SoundStore
  readonly #log: Log
  readonly #espeak: EspeakProgram
  readonly #flite: FliteProgram
  readonly #server: ServerVoice | undefined
  #scratches = 0
  #hasWarned = false

  constructor(options: SpeechOptions, store: SoundStore) {
    const { voices = new Map(), flite = 'flite', server, log } = options
    this.#voices = voices
    this.#store = store
    this.#log = log
    this.#espeak = espeakProgram(options)
    this.#flite = fliteProgram(flite)
    this.#server = server && new ServerVoice(server, store, log)
  }

  async sound(utterance: Words, isAhead: boolean): Promise<Made> {
    const { text, voice: language, isPrivate = false } = utterance
    if (text.length > SPOKEN_LENGTH_MAX) {
      return failed(`the text has ${text.length} characters; at most ${SPOKEN_LENGTH_MAX} can be spoken at once`)
    }
    if (text === '') return pauseSound(this.#store, NOTHING_MS)
    const { engine, voice } = slotFor(this.#voices, language) ?? ESPEAK
    if (engine === 'espeak') return asResult(await this.#byEspeak(text, voice ?? language))
    const need = { isAhead, isPrivate }
    const sound = await (engine === 'flite' ? this.#byFlite(text, voice) : this.#byServer(text, voice, need))
    if (typeof sound !== 'string') return { ok: true, sound }
    return { ...asResult(await this.#byEspeak(text, language)), isPassing: true }
  }

  async #byEspeak(words: string, asked: string): Promise<Sound | string> {
    const choice = await this.#espeak.voiceFor(asked)
    if (typeof choice === 'string') return choice
    const { voice } = choice
    return this.#kept(['espeak-ng', voice, SPEED], words, () => this.#espeak.speak(words, voice))
  }

  async #byFlite(words: string, voice = FLITE_VOICE): Promise<Sound | string> {
    const sound = await this.#kept(['flite', voice], words, (file) => {
      return this.#flite.speak(words, voice, `${file}.${process.pid}-${++this.#scratches}`)
    })
    if (typeof sound === 'string' && !this.#hasWarned) {
      this.#hasWarned = true
      this.#log.warn({ why: sound }, 'espeak-ng speaks in place of Flite')
    }
    return sound
  }

  #byServer(words: string, voice: string | undefined, need: { isAhead: boolean; isPrivate: boolean }) {
    return this.#server?.sound(words, voice, need) ?? Promise.resolve('SPEECH_URL is not set')
  }

  /** The sound on disk, or a new one. */
  async #kept(
    engine: readonly string[],
    words: string,
    speak: (file: string) => Promise<Int16Array | string>,
  ): Promise<Sound | string> {
    const file = this.#store.fileFor([...engine, String(TELEPHONE_HZ), words])
    const foundMs = await this.#store.findOnDisk(file)
    if (foundMs !== undefined) return { file, text: words, durationMs: foundMs }
    const spoken = await speak(file)
    return typeof spoken === 'string'
      ? spoken
      : { file, text: words, durationMs: await this.#store.write(file, spoken) }
  }
}

async function pauseSound(store: SoundStore, pauseMs: number): Promise<SpeechResult> {
  if (!(pauseMs >= 0 && pauseMs <= PAUSE_MS_MAX)) return failed(`a pause must last 0 to ${PAUSE_MS_MAX} ms`)
  const durationMs = Math.max(1, Math.round(pauseMs))
  const file = store.fileFor(['silence', String(durationMs), String(TELEPHONE_HZ)])
  if ((await store.findOnDisk(file)) === undefined) await store.write(file, silence(durationMs))
  return { ok: true, sound: { file, text: '', durationMs } }
}

function asResult(sound: Sound | string): SpeechResult {
  return typeof sound === 'string' ? failed(sound) : { ok: true, sound }
}

function failed(why: string): SpeechResult & { ok: false } {
  return { ok: false, why }
}
