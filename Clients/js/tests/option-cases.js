// The cases of Tests/Vectors/options.json: bodies and events, whose results are those of the reducer.
// `node option-cases.js` prints the file. The rules are those of docs/rules.md, part 1; each case names its rules.
// `Tests/Vectors/bar_rules.py` computes the results independently.

import { BarLayout } from '../source/bar-layout.js';

const view = (y = -200, { id = 'main', height = 4800, frame = 667, x = 0, inset = {} } = {}) => ({
  id,
  contentOffset: { x, y },
  contentSize: { width: 375, height },
  frame: { x: 0, y: 0, width: 375, height: frame },
  contentInset: { top: 0, left: 0, bottom: 0, right: 0, ...inset },
});
const at = (y, more = {}) => {
  const { x = 0, ...rest } = more;
  return { type: 'contentOffset', contentOffset: { x, y }, ...rest };
};
const pan = (state, velocity) => ({ type: 'panGesture', state, ...(velocity !== undefined && { velocity: { x: 0, y: velocity } }) });
const size = (height, width = 375) => ({ type: 'contentSize', contentSize: { width, height } });
const frame = (height) => ({ type: 'frame', frame: { x: 0, y: 0, width: 375, height } });
const inset = (edges) => ({ type: 'contentInset', contentInset: { top: 200, left: 0, bottom: 0, right: 0, ...edges } });
const expand = (on = true) => ({ type: 'expand', on });
const set = (...args) => ({ type: 'set', scrollable: view(...args) });
const preconfigure = (...args) => ({ type: 'preconfigure', scrollable: view(...args) });
const heights = (compactStateHeight, normalStateHeight, expandedStateHeight) =>
  ({ configuration: { compactStateHeight, normalStateHeight, expandedStateHeight } });
const fixes = (...names) => ({ options: { fixes: names } });
const projected = (more = {}) => ({ options: { snap: 'projected', ...more } });
const resistance = { dimension: 320, constant: 0.55 };
const keyframes = [{ progress: 0.25, value: 10 }, { progress: 1, value: 20 }, { progress: 1.5, value: -4 }];
const tracks = {
  tracks: {
    curve: { keyframes },
    one: { keyframes: [{ progress: 0.5, value: 7 }] },
    step: { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 5 } },
  },
};
/** A pull from the top to the expanded bar. */
const open = [at(-200), pan('began'), at(-250), pan('changed'), at(-300), pan('changed')];
/** A pull at the top that starts a refresh control of 60 points. */
const refresh = [at(-200), at(-330), inset({ top: 260 })];
const repaired = fixes('primeOnAttach', 'overscroll', 'clearExpandedOnCollapse', 'contentSizeRatchet', 'baseInset');
const snapshot = (more) => ({
  scrollable: undefined,
  snapshot: {
    offset: -150, isExpandedStateAvailable: false, baseInsetBottom: 0,
    scrollable: view(40, { inset: { top: 200 } }), ...more,
  },
});

const cases = [
  ['event.ofAnotherView', 'R1', {}, [at(-200), { ...at(-150), scrollableId: 'other' }, { ...at(-150), scrollableId: 'main' }]],

  // Attachment and preparation.
  ['attach.short', 'R3', { scrollable: view(0, { height: 300 }) }, [at(-200), at(-100)]],
  ['attach.belowZero', 'R4', { scrollable: view(1e-3) }, [at(0), at(40)]],
  ['attach.atZero', 'R4', { scrollable: view(0) }, [at(-200), at(-190)]],
  ['attach.firstOffsetIsRemembered', 'R2 R5', {}, [at(-150), at(-140)]],
  ['attach.primed', 'R2', fixes('primeOnAttach'), [at(-150), at(-140)]],
  ['attach.primedEchoed', 'R2', { ...fixes('primeOnAttach'), feedback: 'echoed', scrollable: view(0) }, [at(-150)]],
  ['attach.echoed', 'R2', { feedback: 'echoed', scrollable: view(0) }, [pan('began'), at(-200), at(-190)]],
  ['attach.baseInset', 'R2 R3', { ...fixes('baseInset'), scrollable: view(-200, { height: 500, inset: { bottom: 34 } }) }, [inset({ bottom: 20 }), size(510), size(900)]],
  ['attach.noBaseInset', 'R2 R3', { scrollable: view(-200, { height: 500, inset: { bottom: 34 } }) }, [inset({ bottom: 20 }), size(510)]],
  ['set.keepsTheState', 'R2', {}, [at(-200), at(-120), set(500, { id: 'next' }), at(500), at(480), set(-200, { id: 'third' })]],
  ['set.observesTheSizeAnew', 'R2 R12', {}, [size(4800), size(4800), set(-150, { id: 'next' }), size(4800)]],
  ['set.releasesTheStretch', 'R2 R9', { options: { resistance } }, [...open, at(-400), set(-350, { id: 'next' })]],
  ['set.ofAnOpenBar', 'R3 R4', {}, [...open, set(700, { id: 'next' })]],
  ['room.atNormalWithoutMove', 'R3 R4', {}, [at(-200), pan('began'), set(700, { id: 'next' }), at(700), at(690)]],
  ['size.observesBothOffsets', 'R10 R12', {}, [at(-200), at(-150), size(5000), at(-140)]],
  ['size.ratchet', 'R4', {}, [at(-200), at(-100), at(-40), size(5000)]],
  ['size.ratchetRepaired', 'R4', fixes('contentSizeRatchet'), [at(-200), at(-100), at(-40), size(5000)]],
  ['set.ratchetRepaired', 'R4', { ...fixes('contentSizeRatchet'), scrollable: view(-100) }, [at(-200), set(-50, { id: 'next' })]],
  ['size.widthCounts', 'R12', {}, [at(-200), at(-150), size(4800), size(4800, 390), size(4800, 390)]],
  ['frame.isStored', 'R13', { scrollable: view(-200, { height: 600 }) }, [frame(900), at(-200), at(-150), size(601)]],
  ['frame.smaller', 'R13', { scrollable: view(-200, { height: 600 }) }, [frame(900), frame(700), at(-200), at(-150)]],
  ['frame.withBaseInset', 'R13', { ...fixes('baseInset'), scrollable: view(-200, { height: 600, inset: { bottom: 34 } }) }, [frame(900), frame(720), frame(500), at(-200), at(-150)]],
  ['frame.ofAnOpenBar', 'R13', {}, [...open, at(-150), frame(4800), at(-140)]],
  ['inset.isStored', 'R14', {}, [at(-200), at(-150), inset({ top: 50 }), at(-120), at(-40)]],
  ['preconfigure.another', 'R23', {}, [at(-200), at(-150), preconfigure(0, { id: 'next', height: 200 }), at(-140), preconfigure(900, { id: 'far' })]],
  ['preconfigure.attached', 'R23', {}, [at(-200), at(-150), preconfigure(-180), at(-140)]],
  ['preconfigure.attachedEchoed', 'R10 R23', { feedback: 'echoed' }, [at(-200), at(-150), preconfigure(-180)]],
  ['preconfigure.withResistance', 'R4', { options: { resistance } }, [...open, at(-400), preconfigure(0, { id: 'next' })]],

  // The client's own insets.
  ['bottom.tabBarAndKeyboard', 'R3', { ...fixes('baseInset'), scrollable: view(-200, { height: 500, inset: { bottom: 83 } }) }, [at(-200), inset({ bottom: 336 }), size(510), inset({ bottom: 83 }), size(520), size(560)]],
  ['refresh.survivesAReload', 'R3 R4', repaired, [...refresh, size(5200), at(-260), inset(), at(-200), size(5400)]],
  ['refresh.withoutTheFix', 'R3 R4', {}, [...refresh, size(5200), at(-260)]],
  ['refresh.whileScrolled', 'R4', repaired, [...refresh, at(-260), at(-230), size(5200), at(-220), size(5300)]],
  ['refresh.belowTheEdge', 'R4', { ...repaired, ...snapshot({ offset: -170, scrollable: view(-200, { inset: { top: 260 } }), previousContentOffset: { x: 0, y: -200 } }) }, [size(5200), at(-190)]],
  ['refresh.pan', 'R15 R16', repaired, [...refresh, at(-260), pan('began'), at(-300), pan('changed'), size(5200), at(-240), pan('changed'), pan('ended', 0)]],
  ['refresh.panLeavesTheTop', 'R16', repaired, [...refresh, at(-260), pan('began'), at(-259), pan('changed'), at(-150), size(5200)]],
  ['refresh.panAtTheBar', 'R15', repaired, [...refresh, at(-260), at(-200), pan('began')]],
  ['refresh.expand', 'R22', repaired, [...refresh, at(-260), expand(), size(5200), expand(false), size(5300)]],
  ['refresh.ofAnOpenBar', 'R3', repaired, [...open, inset({ top: 360 }), at(-360), size(5200), at(-120), size(5300), size(5400)]],
  ['refresh.afterACollapse', 'R3', fixes('baseInset'), [at(-200), expand(), expand(false), inset({ top: 260 }), at(-260), size(5200)]],
  ['refresh.smallerInset', 'R3', repaired, [at(-200), inset({ top: 50 }), size(5200)]],
  ['refresh.ofAnotherView', 'R2 R23', { ...repaired, scrollable: view(-200, { inset: { top: 260 } }) }, [preconfigure(-200, { id: 'next', inset: { top: 290 } }), set(-200, { id: 'next', inset: { top: 290 } })]],

  // Bars that open only at the top.
  ['reopen.anywhere', 'R8', { options: { reopen: 'anywhere' } }, [at(-200), at(500), at(460)]],
  ['reopen.top', 'R8', { options: { reopen: 'top' } }, [at(-200), at(500), at(300), at(-90), at(-130), at(-131), at(-200), at(-150), at(-170)]],
  ['reopen.fling', 'R8', { options: { reopen: 'top' } }, [at(-200), at(900), at(-150), at(-240), at(-180)]],
  ['reopen.betweenStates', 'R8 R18', { options: { reopen: 'top' } }, [at(-200), set(900, { id: 'deep' }), at(900), at(930), at(910), pan('ended', 0)]],
  ['reopen.deepAtNormal', 'R18', { ...heights(44.1, 100.3, 200.7), options: { reopen: 'top' }, ...snapshot({ offset: -100.29999999999998 }) }, [pan('ended', 0)]],
  ['reopen.deepAboveNormal', 'R18', { options: { reopen: 'top' }, ...snapshot({ offset: -280 }) }, [pan('ended', 0)]],
  ['reopen.snapsAtTheTop', 'R18', { options: { reopen: 'top' } }, [at(-200), at(-170), pan('ended', 0)]],
  ['reopen.snapsAtTheTopRounded', 'R18', { ...heights(44.1, 100.3, 200.7), options: { reopen: 'top' }, ...snapshot({ offset: -80.1, scrollable: view(-80.09999999999998, { inset: { top: 100.3 } }) }) }, [pan('ended', 0)]],
  ['reopen.projected', 'R18 R20', projected({ reopen: 'top' }), [at(-200), at(600), at(500), pan('ended', -3000), at(-150), pan('ended', -900)]],
  ['reopen.expand', 'R8 R22', { options: { reopen: 'top' } }, [at(-200), at(600), expand(), at(-290), expand(false)]],
  ['reopen.stranded', 'R8', { options: { reopen: 'top' } }, [at(-200), pan('began'), at(-250), inset(), at(-199), pan('changed'), at(-199, { x: 4 })]],
  ['reopen.overscroll', 'R7 R8', { options: { reopen: 'top', resistance } }, [at(-200), at(4150), at(4120), at(4000), at(-240), at(-200)]],
  ['reopen.refresh', 'R8 R18', { options: { ...repaired.options, reopen: 'top' } }, [...refresh, at(-260), at(900), at(700), at(-130), at(-190), at(-230), pan('ended', 0)]],

  // Tolerance.
  ['tolerance.zero', 'R5', { options: { tolerance: 0 } }, [at(-200), at(-199), at(-200)]],
  ['tolerance.jitter', 'R5', { options: { tolerance: 8 } }, [at(-200), at(-196), at(-199), at(-192), at(-191), at(-150), at(-154), at(-151), at(-158), at(-160), at(-158), at(-163), at(-152)]],
  ['tolerance.deep', 'R5', { options: { tolerance: 8 } }, [at(-200), at(600), at(593), at(597), at(592), at(591), at(595), at(590), at(606)]],
  ['tolerance.rounds', 'R5', { ...heights(44.1, 100.3, 200.7), scrollable: view(-100.3), options: { tolerance: 7.3 } }, [at(-100.3), at(-77.7), at(-51.3), at(-51.9), at(-60.1), at(-33.7), at(-60.9)]],
  ['tolerance.sideways', 'R5', { options: { tolerance: 8 } }, [at(-200), at(-150), at(-152, { x: 5 }), at(-151, { x: 5 })]],
  ['tolerance.pull', 'R5 R9', { options: { tolerance: 8, resistance } }, [at(-200), at(-240), at(-300), at(-295), at(-204), at(-200), at(-195), at(-180)]],
  ['tolerance.bounce', 'R5', { options: { tolerance: 8, fixes: ['overscroll'] }, scrollable: view(4100) }, [at(4100), at(4150), at(4133), at(4129), at(4120)]],
  ['tolerance.snap', 'R21', { options: { tolerance: 8 } }, [at(-200), at(-160), pan('ended', 0), at(-195), at(-110), pan('ended', 0), at(-90)]],
  ['tolerance.snapClamped', 'R21', projected({ tolerance: 8, clampTargets: true }), [at(-200), at(-140), at(-146), pan('ended', -40)]],
  ['tolerance.snapEchoed', 'R11 R21', { options: { tolerance: 8 }, feedback: 'echoed' }, [at(-200), at(-130), pan('ended', 0), at(-110, { source: 'animation' }), at(-92, { source: 'animation' }), at(-80, { source: 'animation' }), at(-84)]],
  ['tolerance.expand', 'R5 R22', { options: { tolerance: 8, fixes: ['clearExpandedOnCollapse'] } }, [at(-200), at(-120), expand(), at(-295), expand(false), at(-203), at(-190)]],
  ['tolerance.leavesTheTop', 'R16', { options: { tolerance: 8 } }, [...open, at(-205), at(-195), pan('changed'), at(-191), pan('changed')]],
  ['tolerance.reopen', 'R5 R8 R18', { options: { tolerance: 8, reopen: 'top' } }, [at(-200), at(500), at(-90), at(-100), at(-140), at(-135), at(-130), pan('ended', 0), at(-128), at(-160), at(-155), pan('ended', 0)]],
  ['tolerance.snapshot', 'R5 R28', { options: { tolerance: 8 }, ...snapshot({ previousContentOffset: { x: 0, y: 34 } }) }, [at(36), at(33), at(45)]],

  // Moves of the content.
  ['move.sideways', 'R5 R8', {}, [...open, inset(), at(-300, { x: 5 }), at(-150), at(-150, { x: 6 })]],
  ['move.sidewaysCloses', 'R5 R8', {}, [at(-200), pan('began'), at(-250), inset(), at(-199), pan('changed'), at(-199, { x: 4 })]],
  ['move.roundsWithTheOffset', 'R8', { ...heights(44.1, 100.3, 200.7), scrollable: view(-100.3) }, [at(-100.3), at(-77.7), at(-51.3), at(-51.2), at(-20.1), at(-33.7), at(-60.9)]],
  ['move.top', 'R6', {}, [at(-200), at(-230), at(-260), at(-240), at(-200), at(-150), at(-210)]],
  ['move.bottom', 'R6', { scrollable: view(4100) }, [at(4100), at(4150), at(4200), at(4160), at(4120), at(4090)]],
  ['move.overscrollRepaired', 'R7', { ...fixes('overscroll'), scrollable: view(4100) }, [at(4100), at(4150), at(4200), at(4160), at(4120), at(4090), at(-230), at(-260), at(-190)]],
  ['move.shortContentRepaired', 'R7', { ...fixes('overscroll'), scrollable: view(-200, { height: 100, frame: 700 }) }, [at(-200), inset(), at(-150), at(-120), at(-190)]],
  ['move.entersTheTop', 'R6 R7', { options: { resistance } }, [at(-200), at(-180), at(-220), at(-190)]],
  ['move.tallerThanAllowed', 'R8', {}, [...open, at(-150), pan('changed'), expand(), at(-290), expand(false), at(-190)]],
  ['source.animationIsIgnored', 'R11', {}, [at(-200), at(-150), at(-120, { source: 'animation' }), at(-140)]],
  ['source.animationEchoed', 'R11', { feedback: 'echoed' }, [at(-200), at(-150), at(-120, { source: 'animation' }), at(-140, { source: 'user' })]],

  ['source.animationIsNotStored', 'R11', {}, [at(-200), at(-150), at(-199, { source: 'animation' }), pan('began')]],

  // Resistance.
  ['resistance.bounceBelowTheBar', 'R7', { options: { resistance } }, [at(-200), at(-150), inset({ top: 100 }), at(-160), at(-130)]],
  ['resistance.stretches', 'R9', { options: { resistance } }, [at(-200), at(-240), at(-300), at(-350), at(-240), at(-190)]],
  ['resistance.ofAnOpenBar', 'R9', { options: { resistance: { dimension: 90.5, constant: 0.7 } } }, [...open, at(-340), at(-390), at(-330), at(-280)]],
  ['resistance.snap', 'R9 R21', { options: { resistance } }, [at(-200), at(-260), pan('ended', 0)]],
  ['resistance.snapFromTheMiddle', 'R21', { options: { resistance } }, [at(-200), at(-150), pan('ended', 0)]],

  // Pans.
  ['pan.tolerance', 'R15', {}, [at(-195), pan('began'), at(-194.9), pan('began'), at(-205), pan('began'), at(-205.1), pan('began')]],
  ['pan.aboveStaysForbidden', 'R15', {}, [at(-200), at(-230), pan('began')]],
  ['pan.changedBelowTheTop', 'R16', {}, [...open, at(-200), pan('changed'), at(-199.9), pan('changed')]],
  ['pan.changedReadsTheContent', 'R16', {}, [at(-200), pan('began'), inset({ top: 100 }), at(-190), at(-230), pan('changed'), at(-150), pan('changed')]],
  ['pan.cancelled', 'R17', {}, [at(-200), at(-130), pan('cancelled'), pan('failed'), pan('possible')]],
  ['pan.cancelledSnaps', 'R17', { options: { snapOnCancel: true } }, [at(-200), at(-130), pan('possible'), pan('cancelled'), at(-170), pan('failed', -100)]],
  ['snap.none', 'R18', { options: { snap: 'none' } }, [at(-200), at(-130), pan('ended', 900)]],
  ['snap.tie', 'R18', {}, [at(-200), at(-150), pan('ended', -900)]],
  ['snap.nearestMayBeExpanded', 'R18', snapshot({ offset: -260 }), [pan('ended', 0)]],
  ['snap.firstOffsetOfTheCommand', 'R5 R10', snapshot({}), [pan('ended', 0), at(-20)]],
  ['snap.projected', 'R19', projected(), [at(-200), at(-180), pan('ended', 300), at(-150), pan('ended', -140), at(-20), at(-60), pan('ended', 0)]],
  ['snap.projectedJustBeyond', 'R19', projected(), [at(-200), at(-180), pan('ended', 60.05)]],
  ['snap.projectedTie', 'R19', projected(), [at(-200), at(-150), pan('ended', 0)]],
  ['snap.projectedFast', 'R19', projected({ decelerationRate: 'fast' }), [at(-200), at(-180), pan('ended', 300), pan('ended', 301)]],
  ['snap.projectedRate', 'R19', projected({ decelerationRate: 0.995 }), [at(-200), at(-180), pan('ended', 300)]],
  ['snap.projectedFarAbove', 'R20', projected(), [at(-200), at(-150), pan('ended', -5000)]],
  ['snap.projectedToExpanded', 'R20', projected(), [at(-200), pan('began'), at(-210), pan('changed'), pan('ended', -400)]],
  ['snap.aboveNormal', 'R20', { ...projected(), ...snapshot({ offset: -280 }) }, [pan('ended', 0)]],
  ['snap.sequential', 'R20', projected({ snapSequential: true }), [at(-200), pan('began'), at(-260), pan('changed'), pan('ended', 900)]],
  ['snap.sequentialAtNormal', 'R20', projected({ snapSequential: true }), [at(-200), at(-150), at(-200), pan('ended', 900)]],
  ['snap.notSequential', 'R20', projected(), [at(-200), pan('began'), at(-260), pan('changed'), pan('ended', 900)]],
  ['snap.clamped', 'R21', { options: { clampTargets: true }, scrollable: view(-200, { height: 700, frame: 667 }) }, [at(-200), at(-40), at(30), at(-15), pan('ended', 0), at(30), at(-5), pan('ended', 0)]],
  ['snap.clampedAway', 'R21', { options: { clampTargets: true }, ...snapshot({ offset: -160, scrollable: view(-200, { inset: { top: 200 } }) }) }, [pan('ended', 0)]],
  ['snap.clampedInAShortList', 'R7 R21', { options: { clampTargets: true }, ...snapshot({ offset: -130, scrollable: view(-150, { height: 600, frame: 900, inset: { top: 200 } }) }) }, [pan('ended', 0)]],
  ['snap.notClamped', 'R21', snapshot({ offset: -160, scrollable: view(-200, { inset: { top: 200 } }) }), [pan('ended', 0)]],

  // Expand.
  ['expand.on', 'R22', {}, [at(-200), at(-150), expand(), at(-280)]],
  ['expand.offKeepsThePermission', 'R22', {}, [at(-200), expand(), expand(false), at(-220)]],
  ['expand.offRepaired', 'R22', fixes('clearExpandedOnCollapse'), [at(-200), expand(), expand(false), at(-220)]],
  ['expand.withOverscrollRepaired', 'R22', fixes('overscroll'), [at(-200), at(-150), expand(), expand(false)]],
  ['expand.echoed', 'R10 R22', { feedback: 'echoed' }, [at(-200), expand(), at(-250), at(-300), expand(false), at(-250), at(-200)]],
  ['expand.offFromTheMiddle', 'R22', {}, [at(-200), at(-150), at(300), expand(false)]],

  // What follows the bar.
  ['progress.equalHeights', 'R25', { ...heights(100, 100, 100), scrollable: view(-100), ...tracks }, [at(-100), at(-50), expand()]],
  ['progress.compactIsNormal', 'R25', { ...heights(200, 200, 300), ...tracks }, [at(-200), expand()]],
  ['progress.ranges', 'R25', tracks, [at(-200), at(-175), at(-150), at(-110), at(-100)]],
  ['progress.atNormal', 'R25 R26', tracks, [at(-200), expand(), at(-260), at(-225)]],
  ['tracks.keyframes', 'R26', tracks, [at(-200), at(-187.5), at(-125), at(-120), at(-100), expand(), at(-240), at(-225)]],
  ['crossings.oneByOne', 'R27', {}, [...open, at(-150), at(-100), at(-50), at(-160), at(-260)]],
  ['crossings.several', 'R27', { options: { snap: 'none' } }, [at(-200), at(-100), expand(), at(-300), at(-90), expand()]],
  ['crossings.tolerance', 'R27', { ...heights(44.1, 100.3, 200.7), scrollable: view(-100.3) }, [at(-100.3), at(-44.1 - 5e-7), at(-44.1), at(-60), at(-44.1 - 2e-6), at(-100.3 + 5e-7)]],
  ['crossings.equalHeights', 'R27', heights(100, 200, 200), [at(-200), at(-150), expand(), at(-150)]],
  ['crossings.ofACommand', 'R27', {}, [at(-200), at(-130), pan('ended', 0)]],
  ['crossings.thereAlready', 'R27', {}, [at(-200), at(-90), at(-80), at(-120), at(-90)]],

  // Snapshots.
  ['snapshot.goesOn', 'R28', snapshot({ previousContentOffset: { x: 0, y: 40 } }), [at(30), at(60)]],
  ['snapshot.withoutPrevious', 'R28', snapshot({}), [at(30), at(60), size(4800)]],
  ['snapshot.withSize', 'R28', snapshot({ previousContentSize: { width: 375, height: 4800 }, previousContentOffset: { x: 0, y: 40 } }), [size(4800), at(30)]],
  ['snapshot.ofAnInsetAtTheTop', 'R28', snapshot({ scrollable: view(-200, { inset: { top: 300, bottom: 12 } }), baseInsetBottom: 7 }), [size(500)]],
  ['snapshot.isLimited', 'R28', { ...heights(0, 5e8, 1e9), ...snapshot({ offset: -1e12, scrollable: view(1e12) }) }, [pan('ended', 0)]],
];

const bodyOf = (more) => JSON.parse(JSON.stringify({ ...heights(100, 200, 300), scrollable: view(), ...more }));

/** Returns a result as the service writes it: no crossings if there are none. */
function written(layout, { commands, crossings, preconfigured }) {
  const { state, scrollable, values } = layout;
  return {
    state, scrollable, commands,
    ...(crossings.length > 0 && { crossings }),
    ...(preconfigured && { preconfigured }),
    ...(Object.keys(values).length > 0 && { values }),
  };
}

/** Runs a body and its events with a reducer: `{ created, steps, snapshot }`. */
export function run(body, events, Layout = BarLayout) {
  const layout = new Layout(body);
  const created = written(layout, { ...layout.created, crossings: [] });
  const steps = events.map((event) => {
    try {
      return { event, expect: written(layout, layout.apply(event)) };
    } catch ({ status, code }) {
      return { event, problem: { status, code } };
    }
  });
  return JSON.parse(JSON.stringify({ created, steps, snapshot: layout.snapshot }));
}

/** Returns the text of the file: a line a case. */
export function text() {
  const note = 'Made by Clients/js/tests/option-cases.js. `body` is that of POST /v1/bars, `created` its answer, and the `expect` of each '
    + 'step the result of its event; one with a `problem` changes nothing. `crossings` and `values` are absent if they are empty. `snapshot` is that of GET /v1/bars/{id} after '
    + 'the last event. Numbers are equal to the last bit. `rules` are those of docs/rules.md.';
  const lines = cases.map(([name, rules, more, events]) => {
    const body = bodyOf(more);
    return JSON.stringify({ name, rules, body, ...run(body, events) });
  });
  const head = JSON.stringify({ suite: 'bar.options', version: 1, note });
  return `${head.slice(0, -1)},"cases":[\n${lines.join(',\n')}\n]}\n`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(text());
