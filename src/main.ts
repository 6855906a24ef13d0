/** `npm start`: the service. The only reader of the environment, of real time and of real chance. */
import { randomBytes } from 'node:crypto'
import { type Claim, claimService } from './app/pid-file.ts'
import { type Service, startService } from './app/service.ts'
import { readSettings } from './app/settings.ts'
import { RealClock } from './kernel/clock.ts'
import { makeLog } from './kernel/log.ts'
import { formatProblem } from './kernel/problem.ts'
import { seededRandom } from './kernel/random.ts'
import { magicContact } from './sim/magic-numbers.ts'
import { SimPbx } from './sim/sim-pbx.ts'
import { simSpeech } from './sim/sim-speech.ts'

const { settings, problems, warnings } = readSettings(process.env)
if (!settings) refuse(problems)
const { dataDir } = settings
const log = makeLog(settings.logLevel)
for (const warning of warnings) log.warn(warning)

const claim = claimed()
if ('takenBy' in claim) {
  refuse([`a service (process ${claim.takenBy}) runs in ${dataDir} already; stop it, or set another DATA_DIR`])
}
process.on('exit', claim.release)

// From here on `switchboard apply` finds us, and Ctrl-C is ours: also while the service is still starting.
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
const isSimulated = settings.pbx === 'simulated'
const simPbx = isSimulated ? new SimPbx({ clock, random, carrier: { contactOf: magicContact } }) : undefined
const simulated = simPbx && { pbx: simPbx, speech: simSpeech() }
const onLine = (line: string) => log.info(line)
const interrupted = interruption.promise
const input = { settings, env: process.env, clock, random, log, onLine, interrupted, ...simulated }
const started = await startService(input)
if ('ok' in started) refuse([...started.reasons, ...started.problems.map(formatProblem)])
service = started
// Simulated agents come to the phone, and who is called is told by the last two digits.
for (const agent of started.setup.staff.agents.keys()) simPbx?.agentPhone(agent, { does: 'answer', afterMs: 200 })
service.engine.onCallEnded(({ call, flow, outcome, agent }) => log.info({ call, flow, outcome, agent }, 'a call ended'))
// A simulated switch has no connection that would keep the process alive.
if (isSimulated) setInterval(() => {}, 2 ** 30)
const { url: rest, ssoUrl: signOn } = service.core?.rest ?? {}
log.info({ switch: service.identity, numbers: service.setup.numbers.size, rest, signOn }, 'ready: calls are taken')
if (reloadWanted) reload(service)

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
      if (complaints.length > 0) log.warn({ complaints }, 'the set-up was read again')
      else log.info('the set-up was read again and is in force')
    },
    (error: unknown) => log.error({ err: error }, 'the set-up could not be followed'),
  )
}

function stop(signal: string): void {
  if (isStopping) return
  isStopping = true
  log.info({ signal, calls: service?.engine.callCount ?? 0 }, 'stopping')
  // One that is still starting closes what it has opened; an Asterisk that it began is found again next time.
  if (service) void end(service)
  else interruption.resolve()
}

async function end(running: Service): Promise<never> {
  try {
    await running.stop()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'could not stop in order')
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
