/** The thread that counts through one forecast, and ends; started by `thread-forecaster.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { forecastOf } from '../../pacing-sim/forecast.ts'
import type { ForecastOrder } from '../../ports/forecaster.ts'

parentPort?.postMessage(forecastOf(workerData as ForecastOrder))
