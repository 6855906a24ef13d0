/** `npm start`: the service. It alone reads the environment, real time and real randomness. */
import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { recordingsDirectoryOf } from './app/engine-storage.ts'
import { type Claim, claimService } from './app/pid-file.ts'
import { type Service, startService } from './app/service.ts'
import { readSettings } from './app/settings.ts'
import { RealClock } from './kernel/clock.ts'
import { formatProblem } from './kernel/file-problem.ts'
import { makeLog } from './kernel/log.ts'
import { seededRandom } from './kernel/random.ts'

const { settings, problems, warnings } = readSettings(process.env)
if (!settings) refuse(problems)
if (process.getuid?.() === 0 && !settings.allowsRoot) {
  refuse([
    'it was started by root: Asterisk would run as root, and the database as nobody, as other programs do; ' +
      'start it as a user of its own (useradd --system switchboard), or set ALLOW_ROOT=1',
  ])
}
const { dataDir } = settings
const log = makeLog(settings.logLevel)
for (const warning of warnings) log.warn(warning)

const claim = claimed()
if ('takenBy' in claim) {
  refuse([`a service (process ${claim.takenBy}) already runs in ${dataDir}; stop it, or set another DATA_DIR`])
}
process.on('exit', claim.release)

// From here on `switchboard apply` finds this process, and Ctrl-C is handled, also during the start.
let service: Service | undefined
let isStopping = false
const interruption = Promise.withResolvers<void>()
let reloadWanted = false
process.on('SIGHUP', () => {
  if (service) reload(service)
  else reloadWanted = true
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))

const clock = new RealClock()
const random = seededRandom(randomBytes(6).readUIntBE(0, 6))
const simulated = settings.pbx === 'simulated' ? await simulatedPhones() : undefined
const onLine = (line: string) => log.info(line)
const interrupted = interruption.promise
const input = { settings, env: process.env, clock, random, log, onLine, interrupted, ...simulated }
const started = await startService(input)
if ('ok' in started) refuse([...started.reasons, ...started.problems.map(formatProblem)])
service = started
for (const agent of started.installation.staff.agents.keys()) {
  simulated?.pbx.agentPhone(agent, { does: 'answer', afterMs: 200 })
}
// Before calls are taken: a service that is killed later could not write it any more.
flushCompileCache()
// A simulated switch has no connection that keeps the process alive.
if (simulated) setInterval(() => {}, 2 ** 30)
const { url: rest, ssoUrl: signOn } = service.core?.rest ?? {}
log.info(
  { switch: service.identity, numbers: service.installation.numbers.size, rest, signOn },
  'ready: calls are taken',
)
if (reloadWanted) reload(service)

/** Loaded on demand: a real switch needs none of it. The last two digits of a number decide what its contact does. */
async function simulatedPhones() {
  const [{ SimPbx }, { simSpeech }, { magicContact }, { tonesInFolder }] = await Promise.all([
    import('./sim/sim-pbx.ts'),
    import('./sim/sim-speech.ts'),
    import('./sim/magic-numbers.ts'),
    import('./adapters/recordings/simulated-recording.ts'),
  ])
  const writeRecording = tonesInFolder(recordingsDirectoryOf(settings!))
  const carrier = { contactOf: magicContact, takesEveryTrunk: true }
  return { pbx: new SimPbx({ clock, random, carrier, writeRecording }), speech: simSpeech() }
}

function claimed(): Claim {
  try {
    return claimService(dataDir)
  } catch (error) {
    return refuse([`${dataDir} cannot be written (${messageOf(error)}); set another DATA_DIR`])
  }
}

function reload(running: Service): void {
  running.reload().then(
    (complaints) => {
      if (complaints.length > 0) log.warn({ complaints }, 'the configuration was read again, with problems')
      else log.info('the configuration was read again and is in force')
    },
    (error: unknown) => log.error({ err: error }, 'the configuration could not be applied'),
  )
}

function stop(signal: string): void {
  if (isStopping) return
  isStopping = true
  log.info({ signal, calls: service?.engine.callCount ?? 0 }, 'stopping')
  // A start under way closes what it opened; the next start finds the Asterisk that it started.
  if (service) void end(service)
  else interruption.resolve()
}

async function end(running: Service): Promise<never> {
  try {
    await running.stop()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'the stop failed')
    process.exit(1)
  }
}

function refuse(reasons: readonly string[]): never {
  process.stderr.write(`Switchboard does not start:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`)
  process.exit(1)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
