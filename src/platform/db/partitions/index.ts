/** Tables that are partitioned by time: partitions are created ahead, and retention drops them. */
export {
  changePartitions,
  dropPartitions,
  GROUPS,
  listPeriods,
  lockPeriod,
  type PartitionGroup,
  type PartitionPeriod,
  type PartitionState,
  partitionStates,
} from './partitions.ts'
export { AHEAD_DAYS_MIN, isNearEnd, partitionSchedules, prepareAndCheck } from './schedules.ts'
export {
  createMissingPartitions,
  createPartitions,
  type PartitionOptions,
  preparePartitions,
  preparePartitionsAt,
} from './prepare.ts'
