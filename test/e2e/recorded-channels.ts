import { expect } from 'vitest'
import { FRAME_SAMPLES } from '../../demo/sip/audio.ts'
import type { Client, Credential } from '../../src/client/client.ts'
import { shareOfTone } from '../../src/listening/tone.ts'

/** A recording as it is served, or a part of it. */
export interface ServedRecording {
  readonly headers: Headers
  readonly sound: Buffer
}

/** A range of the file of a recording. Each answer is 206. */
export async function fetchRecording(
  client: Client,
  credential: Credential,
  cfreId: number,
  range: string,
): Promise<ServedRecording> {
  const answer = await fetch(`${await client.endpoint()}/rest/core/corefile?cfreId=${cfreId}`, {
    headers: { ...credential, range },
  })
  expect(answer.status).toBe(206)
  return { headers: answer.headers, sound: Buffer.from(await answer.arrayBuffer()) }
}

/** Of each channel of 16-bit sound, whether it has more than 0.2 s of each tone. */
export function tonesOf(sound: Buffer, tonesHz: readonly number[]): boolean[][] {
  return [0, 1].map((channel) => {
    const samples = channelOf(sound, channel)
    return tonesHz.map((hz) => framesOf(samples, hz) > 10)
  })
}

function channelOf(sound: Buffer, channel: number): number[] {
  return Array.from({ length: Math.floor(sound.length / 4) }, (_, at) => sound.readInt16LE(at * 4 + channel * 2))
}

/** In how many frames this tone dominates. */
function framesOf(samples: readonly number[], hz: number): number {
  const frames = Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, at) => at * FRAME_SAMPLES)
  return frames.filter((at) => shareOfTone(samples.slice(at, at + FRAME_SAMPLES), hz) > 0.5).length
}
