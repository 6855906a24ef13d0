/** A measured process of its own: what the driver and the other side of a call cost must not be counted as ours. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a child can be asked, by name. Inputs and answers travel as JSON. */
export type Api = Readonly<Record<string, (input: never) => unknown>>

/** A running child. */
export interface Child<A extends Api> {
  /** Rejects with the child's own words when it fails, or dies meanwhile. One question at a time. */
  ask<N extends keyof A & string>(name: N, input: Parameters<A[N]>[0]): Promise<Awaited<ReturnType<A[N]>>>
  /** Lets it exit (a profile is written then), and ends it when it does not within seconds. */
  end(): Promise<void>
}

type Answer = { readonly value?: unknown } | { readonly error: string }

const END_MAX_MS = 5_000

/** Starts a file of `processes/` as a child that `serve`s `A`; it inherits our own options, such as `--cpu-prof`. */
export function startChild<A extends Api>(file: string, nodeOptions: readonly string[] = []): Child<A> {
  const path = fileURLToPath(new URL(`processes/${file}`, import.meta.url))
  const child = fork(path, { execArgv: [...process.execArgv, ...nodeOptions], serialization: 'advanced' })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    ask: (name, input) => ask(child, name, input) as never,
    end: async () => {
      const impatience = setTimeout(() => child.kill('SIGKILL'), END_MAX_MS)
      if (child.connected) child.disconnect()
      await gone
      clearTimeout(impatience)
    },
  }
}

/** The child's side: answers questions, and ends with its parent. */
export function serve(api: Api): void {
  process.once('disconnect', () => process.exit())
  process.on('message', async ({ name, input }: { name: string; input: never }) => {
    const answer: Answer = await Promise.resolve()
      .then(() => api[name]!(input))
      .then(
        (value) => ({ value }),
        (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
    process.send!(answer)
  })
}

function ask(child: ChildProcess, name: string, input: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const died = (status: number | null) => reject(new Error(`the child ended (${status}) while asked to ${name}`))
    child.once('exit', died)
    child.once('message', (answer: Answer) => {
      child.off('exit', died)
      if ('error' in answer) reject(new Error(answer.error))
      else resolve(answer.value)
    })
    child.send({ name, input } as object)
  })
}
