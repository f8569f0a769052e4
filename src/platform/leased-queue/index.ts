/** One runner for queues whose jobs are leased rows of a table: polls and deliveries. */
export { createBatchedWriter } from './batched-writer.ts'
export type { JobLimiter, LeasedQueue } from './queue.ts'
export { type QueueRunner, startQueue } from './runner.ts'
