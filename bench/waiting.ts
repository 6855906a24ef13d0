import type { Benchmark } from './benchmark.ts'
export const waiting: Benchmark = { name: 'waiting', about: '', defaults: {}, run: () => Promise.reject(new Error('not yet')) }
