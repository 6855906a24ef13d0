/** An Asterisk that is gone is started again, and so is one that runs and answers nothing. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { PrivateAsterisk } from '../../asterisk/private.ts'
import { answersAri } from '../../src/app/asterisk-answers.ts'
import { asteriskSupervisor } from '../../src/app/asterisk-supervisor.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const MINUTE_MS = 60_000

/** One that runs until it is killed. */
function running(pid: number) {
  let isAlive = true
  const kill = async () => {
    isAlive = false
  }
  return { ok: true, pid, isAlive: () => isAlive, kill } as unknown as PrivateAsterisk
}

interface Given {
  /** The process dies by itself when so many questions were asked. */
  readonly diesAfter?: number
  readonly clock?: VirtualClock
}

/** `isSilentAt`: whether it says nothing at the question of that number. */
async function supervised(
  isSilentAt: (question: number) => boolean,
  minutes: number,
  { diesAfter, clock = new VirtualClock() }: Given = {},
) {
  let pid = 1
  let question = 0
  const supervisor = asteriskSupervisor(running(pid), {
    startAgain: async () => running(++pid),
    answers: async () => !isSilentAt(++question),
    clock,
    log: silentLog,
  })
  supervisor.start()
  for (let passedMs = 0; passedMs < minutes * MINUTE_MS; passedMs += 250) {
    clock.run(250)
    await new Promise(setImmediate)
    if (question === diesAfter && supervisor.current.pid === 1) await supervisor.current.kill()
  }
  await supervisor.stop()
  return { pid: supervisor.current.pid, questions: question }
}

test('one that hangs is killed and started again, once; a silence now and then is none', async () => {
  expect(await supervised((at) => at <= 12, 4)).toMatchObject({ pid: 2 })
  expect((await supervised((at) => at % 12 !== 0, 30)).pid).toBe(1)
  const { pid, questions } = await supervised(() => false, 10)
  expect([pid, questions > 30]).toEqual([1, true])
})

test('the silence of one that died is not that of the next', async () => {
  expect((await supervised((at) => at <= 12, 6, { diesAfter: 11 })).pid).toBe(2)
})

test('a clock that was a day ahead and is set right keeps nobody from asking', async () => {
  class SetRight extends VirtualClock {
    override nowMs() {
      const nowMs = super.nowMs()
      return nowMs > Date.UTC(2026, 2, 2, 9, 1) ? nowMs - 24 * 60 * MINUTE_MS : nowMs
    }
  }
  expect((await supervised(() => true, 4, { clock: new SetRight() })).pid).toBeGreaterThan(1)
})

let server: Server | undefined
afterEach(() => server?.close())

async function listening(take: (socket: Socket) => void) {
  server = createServer(take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { ari: { url, user: 'a', password: 'b' } }
}

test('a connection on which nothing comes is a silence; an answer, a broken and a refused one are none', async () => {
  const clock = new VirtualClock()
  const { promise: taken, resolve: take } = Promise.withResolvers<Socket>()
  const hangs = await listening(take)
  const asked = answersAri(hangs, clock)
  const socket = await taken
  clock.run(5_000)
  expect(await asked).toBe(false)
  socket.destroy()
  server!.close()
  const answer = 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'
  const says = await listening((one) => void one.once('data', () => one.end(answer)))
  expect(await answersAri(says, new RealClock())).toBe(true)
  server!.close()
  const breaks = await listening((one) => one.destroy())
  expect(await answersAri(breaks, new RealClock())).toBe(true)
  server!.close()
  await once(server!, 'close')
  expect(await answersAri(breaks, new RealClock())).toBe(true)
})
