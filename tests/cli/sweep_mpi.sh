#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast-sweep-mpi: the table of any number of processes is that of one, also when one dies.
#   sweep_mpi.sh HOLDFAST ROOT HOLDFAST-SWEEP-MPI
. "$(dirname "$0")/common.sh"
program=$3
command -v mpirun >/dev/null || { echo 'skipped: mpirun is missing'; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpirun -n 2 true >/dev/null 2>&1 || { echo 'skipped: mpirun does not run here'; exit 77; }

cases=(block.yaml --vary floor.level.coulomb=1:20:40 --vary 'block.mass=-1,1,2,4' --of block.position --of 'stick(floor)')
expect 0 '40 failed' sweep "${cases[@]}" -o one.h5
for n in 1 2 3; do
    timeout 60 mpirun -n $n "$program" "${cases[@]}" -o mpi.h5 >out 2>err || complain "$n processes: $(cat out err)"
    grep -q '160 cases' out || complain "$n processes say: $(cat out)"
    [ "$(grep -c '160 cases' out)" = 1 ] || complain 'more than one process speaks'
    cmp -s one.h5 mpi.h5 || complain "$n processes give another table"
done

# A process is killed, the last (-n) or process 0, which keeps what is finished (-o): the job ends,
# what was finished is on disk, and --resume makes the same table.
expect 0 '' sweep "${cases[@]}" --duration 20 -o whole.h5
# Waits until cases are being run: a process that dies while MPI begins is another matter.
begun() {
    for _ in $(seq 200); do
        [ -e "$1.cases" ] && break
        sleep 0.1
    done
    sleep 1.2
}
kill_one() {
    rm -f killed.h5*
    timeout 60 mpirun -n 3 "$program" "${cases[@]}" --duration 20 -o killed.h5 >out 2>err &
    local job=$!
    begun killed.h5
    victim=$(pgrep "$1" -P "$(pgrep -P $job mpirun || echo $job)" 2>/dev/null)
    [ -n "$victim" ] && kill -9 "$victim"
    wait $job
}
kill_one -n
[ -e killed.h5 ] || timeout 60 mpirun -n 3 "$program" "${cases[@]}" --duration 20 -o killed.h5 --resume >out 2>err ||
    complain "resuming: $(cat out err)"
cmp -s whole.h5 killed.h5 || complain 'a killed process gives another table'
kill_one -o
[ -e killed.h5 ] || expect 0 '' sweep "${cases[@]}" --duration 20 -o killed.h5 --resume # threads go on as well
cmp -s whole.h5 killed.h5 || complain 'the death of process 0 gives another table'

# Where the MPI keeps the job alive, the others and process 0 run the dead one's cases, and all end.
# A process that is killed within the MPI library itself may leave a lock of its shared memory taken,
# which no program can mend: a job that does not end is tried again, three times in all.
if mpirun --version | grep -q 'Open MPI'; then
    for try in 1 2 3; do
        rm -f dead.h5*
        timeout 80 mpirun --enable-recovery -n 3 "$program" "${cases[@]}" --duration 20 -o dead.h5 >out 2>err &
        job=$!
        begun dead.h5
        victim=$(pgrep -n -P "$(pgrep -P $job mpirun || echo $job)" 2>/dev/null)
        [ -n "$victim" ] && kill -9 "$victim"
        wait $job
        ended=$?
        [ "$ended" = 124 ] || break
    done
    [ "$ended" = 124 ] && complain "a job with a dead process does not end, $try times"
    cmp -s whole.h5 dead.h5 || complain "a dead process: $(cat out err)"
fi

# Wrong usage is told once, and ends all.
timeout 60 mpirun -n 2 "$program" block.yaml --vary blok.mass=1,2 -o x.h5 >out 2>err && complain 'wrong usage was accepted'
[ "$(grep -c 'did you mean' err)" = 1 ] || complain "wrong usage: $(cat err)"
exit "$bad"
