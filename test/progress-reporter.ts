/** Progress of a long run in a few lines: how many files are done, and which test failed, as soon as it is known. */
import type { Reporter, TestModule } from 'vitest/node'

/** So many lines of progress for each project. */
const LINES = 10

/** A reporter for `test/run.ts`; failures are printed in full by vitest's own at the end. */
export class ProgressReporter implements Reporter {
  readonly #startedAtMs = performance.now()
  #files = 0
  #filesDone = 0
  #testsDone = 0

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    this.#filesDone++
    for (const test of module.children.allTests()) {
      this.#testsDone++
      if (test.result().state === 'failed') this.#say(module, `✗ ${module.relativeModuleId} > ${test.fullName}`)
    }
    const step = Math.max(1, Math.ceil(this.#files / LINES))
    if (this.#filesDone % step !== 0 && this.#filesDone !== this.#files) return
    const seconds = Math.round((performance.now() - this.#startedAtMs) / 1_000)
    this.#say(module, `${this.#filesDone} of ${this.#files} files, ${this.#testsDone} tests, ${seconds} s`)
  }

  #say({ project }: TestModule, text: string): void {
    process.stdout.write(`${project.name}: ${text}\n`)
  }
}
