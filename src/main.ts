/** `npm start`: the service. The only reader of the environment, of real time and of real chance. */
import { randomBytes } from 'node:crypto'
import { readSettings } from './config.ts'
import { RealClock } from './kernel/clock.ts'
import { makeLog } from './kernel/log.ts'
import { formatProblem } from './kernel/problem.ts'
import { seededRandom } from './kernel/random.ts'
import { claimService } from './pid-file.ts'
import { type Service, startService } from './service.ts'
import { SimPbx } from './sim/sim-pbx.ts'
import { simSpeech } from './sim/sim-speech.ts'

const { settings, problems, warnings } = readSettings(process.env)
if (!settings) refuse(problems)
const log = makeLog(settings.logLevel)
for (const warning of warnings) log.warn(warning)

const claim = claimService(settings.dataDir)
if ('takenBy' in claim) {
  refuse([`a service (process ${claim.takenBy}) runs in ${settings.dataDir} already; stop it, or set another DATA_DIR`])
}

const clock = new RealClock()
const random = seededRandom(randomBytes(6).readUIntBE(0, 6))
const simulated = settings.pbx === 'simulated' && { pbx: new SimPbx({ clock, random }), speech: simSpeech() }
const onLine = (line: string) => log.info(line)
const started = await startService({ settings, env: process.env, clock, random, log, onLine, ...simulated })
if ('ok' in started) refuse([...started.reasons, ...started.problems.map(formatProblem)])
watch(started)
const numbers = [...started.setup.numbers.keys()]
log.info({ switch: started.identity, numbers: numbers.length }, 'ready: calls are taken')

function watch(service: Service): void {
  process.on('SIGHUP', () => {
    service.reload().then(
      (complaints) => {
        if (complaints.length > 0) log.warn({ complaints }, 'the set-up was read again')
        else log.info('the set-up was read again and is in force')
      },
      (error: unknown) => log.error({ err: error }, 'the set-up could not be followed'),
    )
  })
  const stop = (signal: string) => {
    log.info({ signal, calls: service.engine.callCount }, 'stopping')
    service.stop().then(
      () => {
        if (!('takenBy' in claim)) claim.release()
        process.exit(0)
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop in order')
        process.exit(1)
      },
    )
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

function refuse(reasons: readonly string[]): never {
  process.stderr.write(`Switchboard does not start:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`)
  process.exit(1)
}
