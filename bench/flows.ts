import type { Benchmark } from './benchmark.ts'
export const flows: Benchmark = { name: 'flows', about: '', defaults: {}, run: () => Promise.reject(new Error('not yet')) }
