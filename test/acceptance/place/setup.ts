/** Of the vitest project `acceptance`: one service for all its files. */
import type { TestProject } from 'vitest/node'
import { installTestTree } from '../../support/test-tree.ts'
import { type Place, startPlace } from './start-place.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly place: Place
  }
}

/** Starts it, tells the files where it is, and stops it in the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await installTestTree()
  const { kill: _, start: __, forward: ___, close, ...place } = await startPlace()
  project.provide('place', place)
  return close
}
