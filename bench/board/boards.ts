/** What open boards cost a node: the processor time of its process with 50 boards, less that without any. */
import { WebSocket } from 'ws'
import type { Benchmark } from '../benchmark.ts'
import { startChild } from '../child.ts'
import type { BoardsApi } from '../processes/boards-process.ts'

const AGENTS = 500
/** Snapshots, and what is compiled then, are not the board at work. */
const LOADED_MS = 5_000
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Bar: `console.md` 7, 17. */
export const boards: Benchmark = {
  name: 'boards',
  about: 'the processor time that open boards cost a node while its agents change',
  defaults: { clients: 50, rate: 31, seconds: 30 },
  async run({ clients, rate, seconds }, { onLine }) {
    const child = startChild<BoardsApi>('boards-process.ts')
    const open: WebSocket[] = []
    let frames = 0
    let bytes = 0
    try {
      const port = await child.ask('start', { agents: AGENTS, perSecond: rate })
      const corePct = async () => {
        await wait(LOADED_MS)
        const [before, startedAtMs] = [await child.ask('cpuMs', undefined), performance.now()]
        frames = bytes = 0
        await wait(seconds * 1_000)
        const usedMs = (await child.ask('cpuMs', undefined)) - before
        return (100 * usedMs) / (performance.now() - startedAtMs)
      }
      const alone = await corePct()
      onLine(`no board: ${alone.toFixed(2)} % of a core`)
      for (let place = 0; place < clients; place++) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}`, ['switchboard.v1', 'ticket'])
        socket.on('message', (data) => {
          frames++
          bytes += (data as Buffer).length
        })
        socket.on('open', () => socket.send(JSON.stringify({ t: 'sub', id: 1, topic: 'board' })))
        open.push(socket)
      }
      const shown = await corePct()
      onLine(`${clients} boards: ${shown.toFixed(2)} % of a core`)
      const each = (count: number) => (count / clients / seconds).toFixed(1)
      return {
        bars: [{ what: `${clients} boards`, measured: shown - alone, unit: '% of a core', limit: { atMost: 10 } }],
        tables: [
          {
            head: ['boards', '% of a core', 'frames a second each', 'bytes a second each'],
            rows: [
              ['0', alone.toFixed(2), '–', '–'],
              [String(clients), shown.toFixed(2), each(frames), each(bytes)],
            ],
          },
        ],
        notes: [
          `${AGENTS} agents, ${rate} of them change in a second. Topic, sessions and sockets are those of the ` +
            'service, in a process of their own; the engine and the check of rights every few seconds are not in it.',
        ],
      }
    } finally {
      for (const socket of open) socket.terminate()
      await child.end()
    }
  },
}
