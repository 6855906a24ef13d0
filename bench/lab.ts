/** An Asterisk of the benchmarks' own, made by the kit like any other, and everything a service needs beside it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trunkContext } from '../asterisk/dialplan.ts'
import { generateConfig } from '../asterisk/generate-config.ts'
import { installAsterisk, type Refusal } from '../asterisk/install.ts'
import { freePort } from '../asterisk/ports.ts'
import { startAsterisk } from '../asterisk/start.ts'
import { telephoneSpeech } from '../src/adapters/speech/speech.ts'
import { readConfig } from '../src/installation/read-config.ts'
import { RealClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import type { Sound } from '../src/ports/speech.ts'
import type { Kit } from './benchmark.ts'
import { PEER_APPLICATION } from './peers/peer-application.ts'
import type { ServicePlace } from './processes/service-process.ts'

/** Carriers, each at an address of its own, whose calls are served by the engine, by dialplan alone, by the peer. */
export const CARRIERS = { engine: '127.0.0.71', dialplan: '127.0.0.72', peer: '127.0.0.73' } as const

/** Which of them serves a call. */
export type Side = keyof typeof CARRIERS

/** Called number → flow. */
export const NUMBERS = { 'one-second': '100', keys: '200' } as const

/** A switch that runs, and nothing connected to it yet. */
export interface Lab {
  readonly sipp: string
  readonly sip: { readonly host: string; readonly port: number }
  readonly asteriskPid: number
  /** The second of prompt, as Asterisk names it. */
  readonly sound: string
  /** The parameters of the engine's process. */
  readonly place: ServicePlace
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Outside of the ports that systems hand out, and enough for 1,000 calls at once. */
const RTP_PORTS = '12000-15999'
const ARI = { user: 'switchboard', password: 'benchmark-on-loopback' }

/**
 * Installs what is missing, and starts a switch in a run directory made anew. Throws where that cannot be done.
 * `modules`: what the switch loads beside what it needs.
 */
export async function openLab(
  { directory, treeDirectory, onLine }: Kit,
  modules: readonly string[] = [],
): Promise<Lab> {
  const { tree } = refuseNot(await installAsterisk(treeDirectory, onLine))
  if (tree.sipp === undefined) throw new Error(`${treeDirectory} has no SIPp; remove it, and it is installed again`)
  rmSync(directory, { recursive: true, force: true })
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })

  const sip = { host: HOST, port: await freePort('udp', HOST) }
  const ari = { ...ARI, port: await freePort('tcp', HOST) }
  const configFile = join(directory, 'switchboard.yaml')
  const setupText = configOf(sip.port, ari.port)
  writeFileSync(configFile, setupText)
  const { installation, problems } = readConfig(configFile, setupText)
  if (!installation) throw new Error(problems.map(({ message }) => message).join('\n'))

  const sound = await oneSecond(tree.espeakNg, join(dataDir, 'sounds'))
  const runDirectory = join(directory, 'asterisk-run')
  const generated = generateConfig({ installation, secret: () => undefined, tree, runDirectory, ari })
  const extensions = servedByOthers(generated.get('extensions.conf')!, sound)
  const loaded = generated.get('modules.conf')! + modules.map((name) => `load = ${name}.so\n`).join('')
  const config = new Map([...generated, ['extensions.conf', extensions], ['modules.conf', loaded]])
  const asterisk = refuseNot(await startAsterisk({ tree, runDirectory, config, ari, sip, onLine }))
  const interrupted = () => void asterisk.kill().finally(() => process.exit(130))
  // The switch outlives its starter by design; only this line ends it.
  for (const signal of SIGNALS) process.once(signal, interrupted)
  return {
    sipp: tree.sipp,
    sip,
    asteriskPid: asterisk.pid,
    sound: sound.file,
    place: {
      ari: { ...ARI, url: `http://${HOST}:${ari.port}` },
      setupFile: configFile,
      dataDir,
      flowsDir: fileURLToPath(new URL('flows', import.meta.url)),
      espeakNg: tree.espeakNg,
    },
    close: () => {
      for (const signal of SIGNALS) process.off(signal, interrupted)
      return asterisk.stop()
    },
  }
}

function configOf(sipPort: number, ariPort: number): string {
  const numbers = Object.entries(NUMBERS).map(([flow, number]) => `  "${number}": { flow: ${flow}, language: en }`)
  const trunks = Object.entries(CARRIERS).map(([name, host]) => `  ${name}: { host: ${host} }`)
  const ports = `sipHost: ${HOST}, sipPort: ${sipPort}, rtp: ${RTP_PORTS}, ariPort: ${ariPort}`
  return ['numbers:', ...numbers, 'trunks:', ...trunks, `asterisk: { ${ports} }`, ''].join('\n')
}

/** The very file that the flow `one-second` plays. */
function oneSecond(program: string, directory: string): Promise<Sound> {
  const recordings = { directory, program: 'sndfile-convert' }
  const speech = telephoneSpeech({ program, directory, recordings, clock: new RealClock(), log: silentLog })
  return new Promise((resolve, reject) => {
    speech.render({ pauseMs: 1_000 }, (result) => {
      if (result.ok) resolve(result.sound)
      else reject(new Error(result.why))
    })
  })
}

/** The generated dialplan, in which the calls of one carrier are served by Asterisk alone, of another by the peer. */
function servedByOthers(extensions: string, { file }: Sound): string {
  const steps: Readonly<Partial<Record<Side, readonly string[]>>> = {
    dialplan: ['exten = _[+*#0-9].,1,Answer()', `same = n,Playback(${file})`, 'same = n,Hangup()'],
    peer: [`exten = _[+*#0-9].,1,Stasis(${PEER_APPLICATION})`, 'same = n,Hangup()'],
  }
  const sections = extensions.split(/\n(?=\[)/)
  for (const [side, lines] of Object.entries(steps)) {
    const heading = `[${trunkContext(side)}]`
    const place = sections.findIndex((section) => section.startsWith(heading))
    if (place < 0) throw new Error(`the kit makes no ${heading} any more; look into asterisk/dialplan.ts`)
    sections[place] = [heading, ...lines, ''].join('\n')
  }
  return sections.join('\n')
}

function refuseNot<T extends { readonly ok: true }>(result: T | Refusal): T {
  if (!result.ok) throw new Error(`${result.why}\n${result.remedy}`)
  return result
}
