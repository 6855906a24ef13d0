import { readFile } from 'node:fs/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Sound, SPOKEN_LENGTH_MAX, type Speech, type SpeechResult, type Utterance } from '../../ports/speech.ts'
import { type EspeakProgram, espeakProgram, SPEED } from './espeak-program.ts'
import { type FlowRecordingOptions, flowRecordings } from './flow-recordings.ts'
import { SoundStore } from './sound-store.ts'
import { quieter, silence } from './telephone-audio.ts'
import { readWav, TELEPHONE_HZ } from './wav.ts'

export interface EspeakOptions {
  /** Path or name of `espeak-ng`. */
  readonly program: string
  /** The directory of `espeak-ng-data`, unless it is the compiled-in one. */
  readonly dataPath?: string
  /** The folder of the sounds, absolute; the switch must be able to read it. */
  readonly directory: string
  readonly recordings: FlowRecordingOptions
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: Log
  /** Concurrent child processes; default 2. */
  readonly childrenMax?: number
  /** Limit for different sounds in the making. Default 1,000; beyond it the result is a failure at once. */
  readonly wantedMax?: number
}

const PAUSE_MS_MAX = 60_000
/** One RTP packet: the sound of a text without words. */
const NOTHING_MS = 20

/** Speech by espeak-ng and recordings, cached on disk; concurrent requests for one sound share a child process. */
export function espeakSpeech(options: EspeakOptions): Speech {
  const { directory, log, wantedMax = 1_000 } = options
  const espeak = espeakProgram(options)
  const store = new SoundStore(options)
  const recording = flowRecordings(options.recordings, store)
  const wanted = new Map<string, ((result: SpeechResult) => void)[]>()

  function make(utterance: Utterance): Promise<SpeechResult> {
    if ('text' in utterance) return textSound(espeak, store, utterance.text, utterance.voice)
    return 'file' in utterance ? recording(utterance.file) : pauseSound(store, utterance.pauseMs)
  }

  return {
    render(utterance, done) {
      const key = JSON.stringify(utterance)
      const sound = store.recall(key)
      if (sound) return done({ ok: true, sound })
      const waiting = wanted.get(key)
      if (waiting) return void waiting.push(done)
      if (wanted.size >= wantedMax) return done(failed(`more than ${wantedMax} sounds are wanted at once`))
      const everybody = [done]
      wanted.set(key, everybody)
      const settle = (result: SpeechResult) => {
        wanted.delete(key)
        // An operator may replace a recording at any time, so it is looked up again.
        if (result.ok && !('file' in utterance)) store.remember(key, result.sound)
        if (!result.ok) log.warn({ why: result.why }, 'prompt not generated')
        for (const done of everybody) done(result)
      }
      void make(utterance)
        .catch((error: Error) => failed(`the sound cannot be kept in ${directory}: ${error.message}`))
        .then(settle)
    },
    quieten(sound, done) {
      const asItIs = (why: string) => {
        log.warn({ why }, 'a prompt cannot be made quiet when the caller begins to speak')
        return sound
      }
      void quietSound(store, sound)
        .catch((error: Error) => asItIs(error.message))
        .then(done)
    },
  }
}

async function textSound(espeak: EspeakProgram, store: SoundStore, text: string, asked: string): Promise<SpeechResult> {
  const words = speakable(text)
  if (words.length > SPOKEN_LENGTH_MAX) {
    return failed(`the text has ${words.length} characters; at most ${SPOKEN_LENGTH_MAX} can be spoken at once`)
  }
  if (words === '') return pauseSound(store, NOTHING_MS)
  const choice = await espeak.voiceFor(asked)
  if (typeof choice === 'string') return failed(choice)
  const file = store.fileFor(['espeak-ng', choice.voice, SPEED, String(TELEPHONE_HZ), words])
  const foundMs = await store.findOnDisk(file)
  if (foundMs !== undefined) return { ok: true, sound: { file, text: words, durationMs: foundMs } }
  const spoken = await espeak.speak(words, choice.voice)
  if (typeof spoken === 'string') return failed(spoken)
  return { ok: true, sound: { file, text: words, durationMs: await store.write(file, spoken) } }
}

async function quietSound(store: SoundStore, sound: Sound): Promise<Sound> {
  const quietFile = store.fileFor(['quiet', sound.file])
  if ((await store.findOnDisk(quietFile)) === undefined) {
    const wav = await readWav(await readFile(`${sound.file}.wav`))
    if (!wav) throw new Error(`${sound.file}.wav is not a 16-bit mono wav`)
    await store.write(quietFile, quieter(wav.samples))
  }
  return { ...sound, quietFile }
}

async function pauseSound(store: SoundStore, pauseMs: number): Promise<SpeechResult> {
  if (!(pauseMs >= 0 && pauseMs <= PAUSE_MS_MAX)) return failed(`a pause must last 0 to ${PAUSE_MS_MAX} ms`)
  const durationMs = Math.max(1, Math.round(pauseMs))
  const file = store.fileFor(['silence', String(durationMs), String(TELEPHONE_HZ)])
  if ((await store.findOnDisk(file)) === undefined) await store.write(file, silence(durationMs))
  return { ok: true, sound: { file, text: '', durationMs } }
}

/** No SSML; `[[` begins phonemes, control characters commands (F-J27). Zero-width joiners stay: scripts need them. */
function speakable(text: string): string {
  return text
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\[(?=\[)/g, '[ ')
    .trim()
}

function failed(why: string): SpeechResult & { ok: false } {
  return { ok: false, why }
}
