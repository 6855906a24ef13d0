import { readFile } from 'node:fs/promises'
import type { Log } from '../../kernel/log.ts'
import type { Sound } from '../../ports/speech.ts'
import type { SoundStore } from './sound-store.ts'
import { quieter } from './telephone-audio.ts'
import { readWav } from './wav.ts'

/** The sound with its quiet twin, made once; as it is, with a warning, where none can be made. Never rejects. */
export async function withQuietSound(store: SoundStore, sound: Sound, log: Log): Promise<Sound> {
  try {
    const quietFile = store.fileFor(['quiet', sound.file])
    if ((await store.findOnDisk(quietFile)) === undefined) {
      const wav = await readWav(await readFile(`${sound.file}.wav`))
      if (!wav) throw new Error(`${sound.file}.wav is not a 16-bit mono wav`)
      await store.write(quietFile, quieter(wav.samples))
    }
    return { ...sound, quietFile }
  } catch (error) {
    log.warn({ why: (error as Error).message }, 'a prompt cannot be made quiet when the caller begins to speak')
    return sound
  }
}
