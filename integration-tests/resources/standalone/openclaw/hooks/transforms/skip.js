export default ({ payload }) => {
  if (payload.skip) return null;
  if (payload.fail) throw new Error("broken");
  return { message: "transformed " + payload.n };
};
