// The platforms of the conventions, by the first part of a convention's id.

const PLATFORMS = {
  designTokens: 'Design tokens',
  wwdc: 'WWDC 2018',
  physical: 'Physics',
  settling: 'Physics',
  uikit: 'UIKit',
  swiftui: 'SwiftUI',
  coreanimation: 'Core Animation',
  android: 'Android',
  compose: 'Jetpack Compose',
  material3: 'Material 3',
  flutter: 'Flutter',
  reactspring: 'react-spring',
  motion: 'Motion',
  reactnative: 'React Native',
  origami: 'Origami Studio, Rebound',
  reanimated: 'Reanimated',
  anime: 'Anime.js',
  svelte: 'Svelte',
  remotion: 'Remotion',
  figma: 'Figma',
};

/** Returns the platform of a convention; an unknown platform has its id as its name. */
export function platformOf(id) {
  const [prefix] = id.split('.');
  return PLATFORMS[prefix] ?? prefix;
}
