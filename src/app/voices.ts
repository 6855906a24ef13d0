import { resolve } from 'node:path'
import { type AsteriskTree, findTree } from '../../asterisk/tree.ts'
import { addressGuard, hostOf } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { telephoneSpeech } from '../adapters/speech/speech.ts'
import { SpeechBudget } from '../adapters/speech/speech-budget.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { Speech } from '../ports/speech.ts'
import type { ServiceInput } from './service-input.ts'

/** The speech of the service, and the connections that close with it. */
export interface Voices {
  readonly speech: Speech
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000

/** The engines of the configuration: programs of our own tree or else of the machine, and the speech server. */
export function openVoices(
  { settings, clock, log, treeDirectory, speech: brought }: ServiceInput,
  { voices }: InstallationConfig,
  running: AsteriskTree | undefined,
): Voices {
  // A test may bring its own.
  if (brought) return { speech: brought, close: async () => {} }
  const { speech, dataDir, flowsDir } = settings
  const tree = running ?? findTree(treeDirectory ?? resolve(dataDir, 'asterisk'))
  const parts = {
    program: tree?.espeakNg ?? 'espeak-ng',
    flite: tree?.flite ?? 'flite',
    directory: resolve(dataDir, 'sounds'),
    recordings: { directory: resolve(flowsDir), program: tree?.sndfileConvert ?? 'sndfile-convert' },
    voices,
    clock,
    log,
  }
  if (!speech) return { speech: telephoneSpeech(parts), close: async () => {} }
  // The service may stand in a private network; redirects are not followed.
  const guard = addressGuard({ allowedHosts: [hostOf(speech.url)] })
  const web = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const { voice, charactersPerDay, ...place } = speech
  const budget = new SpeechBudget({ file: resolve(dataDir, 'speech-budget.json'), charactersPerDay, clock, log })
  const server = { client: { place, web, clock }, voice, budget }
  return { speech: telephoneSpeech({ ...parts, server }), close: () => web.close() }
}
