/** What the rest of the house may rely on, whatever nodes tell each other through. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/kernel/ids.ts'
import type { BoardLine, LiveAgent, LivePort } from '../../src/ports/live.ts'

/** A live port, and those who look after it. */
export interface LiveWorld {
  readonly live: LivePort
  readonly nowMs: () => number
  /** Lets a little time pass, where time does not pass by itself. */
  pass(): void
  end(): Promise<void>
}

const LONG_MS = 60_000
/** Real time on a real server: long enough to be seen, short enough to be waited for. */
const SHORT_MS = 300

const ONE = { node: 'one', endpoint: 'https://one.example' }

/** Runs the suite on live ports of a kind; each test gets one to which nothing has been told. */
export function liveContract(name: string, open: () => Promise<LiveWorld>): void {
  describe(`the live port ${name}`, () => {
    let world: LiveWorld
    let live: LivePort
    beforeEach(async () => {
      world = await open()
      live = world.live
    })
    afterEach(() => world.end())

    const nodeNames = async () => {
      world.pass()
      return (await live.nodes()).map(({ node }) => node).sort()
    }
    const agentNames = async () => {
      world.pass()
      return (await live.agents()).map(({ agent }) => agent).sort()
    }
    const agent = (agent: string, change: Partial<LiveAgent> = {}): LiveAgent => ({
      agent: agent as AgentName,
      node: 'one',
      state: 'ready',
      sinceAtMs: world.nowMs(),
      ...change,
    })
    const line = (type: string): BoardLine => ({ node: 'one', atMs: world.nowMs(), what: { type, place: { x: 1 } } })

    test('begins with nothing, and with a connection', async () => {
      expect(live.isConnected()).toBe(true)
      expect([await live.nodes(), await live.agents()]).toEqual([[], []])
    })

    test('given a beat, the node is there, where it can be reached and when it was heard', async () => {
      const beforeMs = world.nowMs()
      await live.beat(ONE, LONG_MS)
      const [node] = await live.nodes()
      expect(node).toEqual({ ...ONE, seenAtMs: expect.any(Number) })
      expect(node?.seenAtMs).toBeGreaterThanOrEqual(beforeMs)
      expect(node?.seenAtMs).toBeLessThanOrEqual(world.nowMs())
    })

    test('given an endpoint that moved, the last beat counts', async () => {
      await live.beat(ONE, LONG_MS)
      await live.beat({ ...ONE, endpoint: 'https://elsewhere.example' }, LONG_MS)
      expect(await live.nodes()).toMatchObject([{ endpoint: 'https://elsewhere.example' }])
    })

    test('given no further beat, the node is forgotten, and the one that goes on beating is not', async () => {
      await live.beat(ONE, SHORT_MS)
      await live.beat({ ...ONE, node: 'two' }, LONG_MS)
      expect(await nodeNames()).toEqual(['one', 'two'])
      await expect.poll(nodeNames).toEqual(['two'])
    })

    test('given an agent who is shown, everything said of her is there, and the last of it', async () => {
      await live.showAgent(agent('anna'), LONG_MS)
      const talking = agent('anna', { state: 'talking' })
      await live.showAgent(talking, LONG_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      expect(await agentNames()).toEqual(['anna', 'bo'])
      expect((await live.agents()).find(({ agent }) => agent === 'anna')).toEqual(talking)
    })

    test('given an agent who is hidden, she is gone at once, and can be shown again', async () => {
      await live.showAgent(agent('anna'), LONG_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      await live.hideAgent('anna' as AgentName)
      await live.hideAgent('nobody' as AgentName)
      await live.beat(ONE, LONG_MS)
      expect(await agentNames()).toEqual(['bo'])
      await live.showAgent(agent('anna'), LONG_MS)
      expect(await agentNames()).toEqual(['anna', 'bo'])
    })

    test('given an agent of whom no more is said, she is forgotten, though the node goes on beating', async () => {
      await live.showAgent(agent('anna'), SHORT_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      const beaten = async () => {
        await live.beat(ONE, LONG_MS)
        return agentNames()
      }
      expect(await agentNames()).toEqual(['anna', 'bo'])
      await expect.poll(beaten).toEqual(['bo'])
    })

    test('names and states of any text come back as they went in', async () => {
      const odd = agent('Åse "@" {x}:*\n\0', { state: `'; flushall -- ${'x'.repeat(500)}` })
      await live.showAgent(odd, LONG_MS)
      expect(await live.agents()).toEqual([odd])
    })

    test('board lines are heard whole and in order, by everybody who listens', async () => {
      const [first, second]: BoardLine[][] = [[], []]
      live.onBoard((line) => first!.push(line))
      live.onBoard((line) => second!.push(line))
      const lines = ['a', 'b', 'c'].map(line)
      for (const line of lines) live.publishBoard(line)
      await expect.poll(() => [first, second]).toEqual([lines, lines])
    })

    test('whoever stopped listening hears nothing more, and the others do', async () => {
      const heard: string[] = []
      const listener = ({ what }: BoardLine) => void heard.push(what.type)
      const stop = live.onBoard(listener)
      live.onBoard(listener)
      stop()
      stop()
      live.publishBoard(line('a'))
      live.publishBoard(line('b'))
      await expect.poll(() => heard).toEqual(['a', 'b'])
    })

    test('a listener that fails keeps nobody from hearing', async () => {
      const heard: string[] = []
      live.onBoard(() => {
        throw new Error('a page that is gone')
      })
      live.onBoard(({ what }) => heard.push(what.type))
      live.publishBoard(line('a'))
      await expect.poll(() => heard).toEqual(['a'])
    })

    test('after the end nothing is told, nobody hears, and nothing fails', async () => {
      const heard: BoardLine[] = []
      await live.beat(ONE, LONG_MS)
      await live.showAgent(agent('anna'), LONG_MS)
      live.onBoard((line) => heard.push(line))
      await live.close()
      await live.close()
      expect(live.isConnected()).toBe(false)
      await live.beat(ONE, LONG_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      await live.hideAgent('bo' as AgentName)
      live.onBoard((line) => heard.push(line))()
      live.publishBoard(line('late'))
      expect([await live.nodes(), await live.agents(), heard]).toEqual([[], [], []])
    })
  })
}
