import type { CorporationId } from '../kernel/ids.ts'

/** How a day would be dialed: the three ways of mode predictive, and one line for each idle agent. */
export type ForecastPacing = 'price' | 'risk' | 'ratio' | 'oneToOne'

/** Days to be counted through. Plain data. */
export interface ForecastOrder {
  /** What the campaign has learnt, as it is kept; undefined: nothing yet. */
  readonly kept: object | undefined
  readonly pacing: ForecastPacing
  readonly capBasisPoints: number
  /** How long a person who answered may wait for an agent. */
  readonly waitMs: number
  /** Of a wrap-up that ends by itself; undefined where agents end it. */
  readonly timedWrapUpMs: number | undefined
  readonly linesPerAgentMax: number
  readonly agents: number
  readonly dayMs: number
  /** When the day begins, since midnight UTC: the hit rate is known by the hour. */
  readonly beginsAtMs: number
  /** How many such days, two at least: intervals come of how they differ. */
  readonly days: number
  readonly seed: number
  readonly dueTasks: number
}

/** A mean over days with its 95 % interval. */
export interface ForecastFigure {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** What such a day comes to. Shares in percent, lengths in seconds; the same order has the same forecast. */
export interface Forecast {
  readonly occupancyPct: ForecastFigure
  readonly abandonedPct: ForecastFigure
  /** Of a day. */
  readonly conversations: ForecastFigure
  readonly dials: ForecastFigure
  readonly idleMeanS: number
  readonly timeAboveCapPct: number
  /** Until as many lines were dialed as there are due tasks; undefined where nothing is dialed. */
  readonly hoursForDueTasks: ForecastFigure | undefined
  readonly laws: ForecastDistributions
}

interface ForecastDistributions {
  /** `guess`: too little is known of the campaign, and what holds of most stands in for it. */
  readonly source: 'learnt' | 'guess'
  /** Lines whose outcome is known; those of long ago count for less. */
  readonly lines: number
  /** Mean of the day's hours. */
  readonly hitRate: number
  readonly meanTalkS: number
  readonly meanWrapUpS: number
}

/** What came of an order. `busy`: others are counted just now. `tooLong`: given up. `closed`: we are shutting down. */
export type Forecasting =
  | { readonly ok: true; readonly forecast: Forecast }
  | { readonly ok: false; readonly why: 'busy' | 'tooLong' | 'closed' }

/** Counts through days of a campaign, beside everything else. */
export interface Forecaster {
  /** One at a time for each corporation. Rejects when the simulator contradicts itself. */
  forecast(corporation: CorporationId, order: ForecastOrder): Promise<Forecasting>
  /** What is being counted is given up. */
  close(): Promise<void>
}
