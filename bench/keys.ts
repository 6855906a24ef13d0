import type { Benchmark } from './benchmark.ts'
export const keys: Benchmark = { name: 'keys', about: '', defaults: {}, run: () => Promise.reject(new Error('not yet')) }
