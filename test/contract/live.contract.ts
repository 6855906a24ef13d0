/** What the service may rely on, whatever the nodes use to talk to each other. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/kernel/ids.ts'
import type { BoardLine, LiveAgent, LivePort } from '../../src/ports/live.ts'

/** A live port, and its maintenance. */
export interface LiveWorld {
  readonly live: LivePort
  readonly nowMs: () => number
  /** Lets a little time pass on a clock that does not run by itself. */
  pass(): void
  end(): Promise<void>
}

const LONG_MS = 60_000
/** Real time on a real server: long enough to be visible, short enough to be awaited. */
const SHORT_MS = 300

const ONE = { node: 'one', endpoint: 'https://one.example' }

/** Runs the suite on live ports of a kind; each test gets an empty one. */
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

    test('starts empty, and connected', async () => {
      expect(live.isConnected()).toBe(true)
      expect([await live.nodes(), await live.agents()]).toEqual([[], []])
    })

    test('given a heartbeat, the node is listed, with its address and the instant', async () => {
      const beforeMs = world.nowMs()
      await live.beat(ONE, LONG_MS)
      const [node] = await live.nodes()
      expect(node).toEqual({ ...ONE, seenAtMs: expect.any(Number) })
      expect(node?.seenAtMs).toBeGreaterThanOrEqual(beforeMs)
      expect(node?.seenAtMs).toBeLessThanOrEqual(world.nowMs())
    })

    test('given a new endpoint, the last heartbeat counts', async () => {
      await live.beat(ONE, LONG_MS)
      await live.beat({ ...ONE, endpoint: 'https://elsewhere.example' }, LONG_MS)
      expect(await live.nodes()).toMatchObject([{ endpoint: 'https://elsewhere.example' }])
    })

    test('given no further heartbeat, the node expires, and a node that keeps beating does not', async () => {
      await live.beat(ONE, SHORT_MS)
      await live.beat({ ...ONE, node: 'two' }, LONG_MS)
      expect(await nodeNames()).toEqual(['one', 'two'])
      await expect.poll(nodeNames).toEqual(['two'])
    })

    test('given a shown agent, all her fields are listed, in their last state', async () => {
      await live.showAgent(agent('anna'), LONG_MS)
      const talking = agent('anna', { state: 'talking' })
      await live.showAgent(talking, LONG_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      expect(await agentNames()).toEqual(['anna', 'bo'])
      expect((await live.agents()).find(({ agent }) => agent === 'anna')).toEqual(talking)
    })

    test('given a hidden agent, she is removed at once, and can be shown again', async () => {
      await live.showAgent(agent('anna'), LONG_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      await live.hideAgent('anna' as AgentName)
      await live.hideAgent('nobody' as AgentName)
      await live.beat(ONE, LONG_MS)
      expect(await agentNames()).toEqual(['bo'])
      await live.showAgent(agent('anna'), LONG_MS)
      expect(await agentNames()).toEqual(['anna', 'bo'])
    })

    test('given an agent without further updates, she expires, though the node keeps beating', async () => {
      await live.showAgent(agent('anna'), SHORT_MS)
      await live.showAgent(agent('bo'), LONG_MS)
      const beaten = async () => {
        await live.beat(ONE, LONG_MS)
        return agentNames()
      }
      expect(await agentNames()).toEqual(['anna', 'bo'])
      await expect.poll(beaten).toEqual(['bo'])
    })

    test('names and states of any text are returned unchanged', async () => {
      const odd = agent('Åse "@" {x}:*\n\0', { state: `'; flushall -- ${'x'.repeat(500)}` })
      await live.showAgent(odd, LONG_MS)
      expect(await live.agents()).toEqual([odd])
    })

    test('every listener gets the board lines whole and in order', async () => {
      const [first, second]: BoardLine[][] = [[], []]
      live.onBoard((line) => first!.push(line))
      live.onBoard((line) => second!.push(line))
      const lines = ['a', 'b', 'c'].map(line)
      for (const line of lines) live.publishBoard(line)
      await expect.poll(() => [first, second]).toEqual([lines, lines])
    })

    test('a listener that unsubscribed hears nothing more, and the others do', async () => {
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

    test('a failing listener does not affect the others', async () => {
      const heard: string[] = []
      live.onBoard(() => {
        throw new Error('a page that is gone')
      })
      live.onBoard(({ what }) => heard.push(what.type))
      live.publishBoard(line('a'))
      await expect.poll(() => heard).toEqual(['a'])
    })

    test('after the close no listener is called, and nothing fails', async () => {
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
